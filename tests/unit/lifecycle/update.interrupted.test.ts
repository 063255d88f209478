import { CancelledError } from "../../../provider/hosts/engine";
import { hosts } from "../../support/hosts";
import { lifecycles } from "../../support/lifecycles";
import { causesOf, failure, linesOf, loseResponse, refuse, service } from "../../support/fixtures";
import { simulate } from "../../support/simulation";
import { withService, withUnseenService } from "../../support/withService";

const { Service } = lifecycles;
const [minute, hour] = [60_000, 3_600_000];

describe("changed programs after an interrupted run", () => {
    it("a changed program gets what it declares, although an interrupted change takes effect later", async () => {
        const small = service({ cpuMillis: 500, memoryGbs: 2 });
        const { world, id, state } = await withService(small, { durations: { resize: 10 * minute } });
        const large = service({ cpuMillis: 4000, memoryGbs: 16 });
        const failed = await failure(Service.update(id, state, large, world.run({ timeMs: 2 * minute })));
        const next = await Service.update(id, failed.state as never, small, world.run({ timeMs: hour }));
        expect(next).toMatchObject({ cpuMillis: 500, memoryGbs: 2 });
        expect(next.record.interruption).toBeUndefined();
        expect(linesOf(Service.plan(next, small))).toEqual([]);
    });

    it("a service gets the declared password, even if the last password is unknown", async () => {
        const old = service({ password: "old-password" });
        const { world, id, state } = await withService(old);
        world.fault.at("updatePassword", loseResponse);
        const changed = service({ password: "new-password" });
        const failed = await failure(Service.update(id, state, changed, world.run({ timeMs: minute })));
        world.fault.over();
        expect(linesOf(Service.plan(failed.state as never, old))).toEqual([
            "set the password, because the current one is unknown",
        ]);
        const next = await Service.update(id, failed.state as never, old, world.run());
        expect(world.emulator.passwordMatches(id, "old-password")).toBe(true);
        expect(next).toHaveProperty("connectionString", expect.stringContaining(":old-password@"));
        expect(linesOf(Service.plan(next, old))).toEqual([]);
    });

    it("a password that was rejected is not sent again", async () => {
        const old = service({ password: "old-password" });
        const { world, id, state } = await withService(old);
        world.fault.at("updatePassword", refuse);
        const failed = await failure(Service.update(id, state, service({ password: "x" }), world.run()));
        expect(linesOf(Service.plan(failed.state as never, old))).toEqual([]);
    });

    it("a service gets a known password if the declared one could not be set and was removed from the program", async () => {
        const world = await simulate({ faults: ["createService:reset-after", "updatePassword:400"] });
        const failed = await failure(Service.create(service({ password: "declared-password" }), world.run()));
        const next = await Service.update(failed.id, failed.state as never, service(), world.run());
        const { initialPassword } = next as unknown as { initialPassword: string };
        expect(world.emulator.passwordMatches(failed.id, initialPassword)).toBe(true);
    });
});

describe.each(hosts)("on %s", (_, hostIn) => {
    it("a password whose request was cancelled is set again after a revert", async () => {
        const world = await simulate();
        const old = { password: "old-password" };
        const { entry } = await hostIn(world).up("Service", old);
        const cancellation = new AbortController();
        world.fault.at("updatePassword", async (_exchange, carryOut) => {
            const response = await carryOut();
            cancellation.abort(new CancelledError());
            world.clock.advance(minute);
            return response;
        });
        const cancelled = await hostIn(world, cancellation.signal).up("Service", { password: "new-password" }, entry);
        expect(causesOf(cancelled.error)).toContainEqual(expect.any(CancelledError));
        expect(world.emulator.passwordMatches(entry.id, "new-password")).toBe(true);
        world.fault.over();
        expect((await hostIn(world).preview("Service", old, cancelled.entry)).steps).toEqual([
            "set the password, because the current one is unknown",
        ]);
        const reverted = await hostIn(world).up("Service", old, cancelled.entry);
        expect(world.emulator.passwordMatches(entry.id, "old-password")).toBe(true);
        expect((await hostIn(world).preview("Service", old, reverted.entry)).operation).toBe("same");
    });
});

describe("services that reads do not show yet", () => {
    it("the creation of a service that reads do not show yet is resumed", async () => {
        const { world, id, state } = await withUnseenService();
        expect(await Service.update(id, state, service(), world.run())).toMatchObject({ status: "READY" });
    });

    it("an update that cannot read the service leaves it as one that may not be visible yet", async () => {
        const { world, id, state } = await withUnseenService();
        const failed = await failure(Service.update(id, state, service(), world.run({ timeMs: 1_000 })));
        expect(failed.state).toMatchObject({ record: { interruption: "unseen" } });
    });
});
