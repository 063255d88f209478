import type { AxiosAdapter } from "axios";
import { DynamicProvider } from "../../../provider/hosts/dynamic/dynamicProvider";
import { connectEngine } from "../../../provider/hosts/engine";
import { Session } from "../../../provider/hosts/session";
import { lifecycles } from "../../../provider/resources";
import { TestClock } from "../../support/virtualClock";
import { failure, operations, service } from "../../support/fixtures";
import { closeSimulations, simulate } from "../../support/simulation";

afterEach(closeSimulations);

const { Service } = lifecycles;
const minute = 60_000;

describe("changes that affect only the state", () => {
    it("a change that affects only the state sends no request and does not wait, also for a service that is UNSTABLE", async () => {
        const world = await simulate();
        const { id, state } = await Service.create(service({ deletionProtection: true }), world.run());
        world.emulator.setServiceStatus(id, "UNSTABLE");
        world.emulator.clearJournal();
        const beganAt = world.clock.now();
        const next = await Service.update(id, state, service({ deletionProtection: false }), world.run());
        expect(world.emulator.journal()).toEqual([]);
        expect(world.clock.now()).toBe(beganAt);
        expect(next).toEqual({ ...state, deletionProtection: false });
    });

    it("a change that affects only the state needs neither a token nor the API", async () => {
        const world = await simulate();
        const protectedService = service({ deletionProtection: true });
        const { id, state } = await Service.create(protectedService, world.run());
        const adapter: AxiosAdapter = () => Promise.reject(new Error("there is no network"));
        const session = new Session(
            connectEngine(undefined),
            {},
            { clock: TestClock.automatic(), random: () => 1, adapter },
        );
        const { outs } = await new DynamicProvider(Service, session).update(id, { ...state }, service());
        expect(outs).toMatchObject({ serviceId: id, status: "READY" });
        expect((outs as Record<string, unknown>).deletionProtection ?? false).toBe(false);
    });

    it("a change that affects only the state leaves an interrupted update to the next run, whose preview reports it", async () => {
        const world = await simulate({ durations: { resize: 10 * minute } });
        const small = { cpuMillis: 500, memoryGbs: 2, deletionProtection: true } as const;
        const { id, state } = await Service.create(service(small), world.run());
        const large = service({ ...small, cpuMillis: 1000, memoryGbs: 4 });
        const failed = await failure(Service.update(id, state, large, world.run({ timeMs: minute })));
        world.emulator.clearJournal();
        const declared = service({ ...small, deletionProtection: false });
        const next = await Service.update(id, failed.state as never, declared, world.run());
        expect(world.emulator.journal()).toEqual([]);
        const provider = new DynamicProvider(Service, new Session(connectEngine(undefined), {}));
        expect(await provider.diff(id, { ...next }, declared)).toMatchObject({ changes: true, replaces: [] });
        const settled = await Service.update(id, next, declared, world.run({ timeMs: 50 * minute }));
        expect(settled).toMatchObject({ cpuMillis: 500, status: "READY" });
        expect(operations(world)).toEqual(["resizeService"]);
        expect(await provider.diff(id, { ...settled }, declared)).toMatchObject({ changes: false });
    });

    it("a change that affects only the state waits for an interrupted creation, because other resources need its outputs", async () => {
        const world = await simulate({ durations: { create: 10 * minute } });
        const failed = await failure(
            Service.create(service({ deletionProtection: true }), world.run({ timeMs: minute })),
        );
        const next = await Service.update(failed.id, failed.state as never, service(), world.run());
        expect(next).toMatchObject({ status: "READY" });
    });
});
