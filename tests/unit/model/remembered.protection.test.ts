import { ConfigError } from "../../../provider/api/callErrors";
import { computed, type Computed } from "../../../provider/base/fields";
import { lifecycles } from "../../support/lifecycles";
import { causesOf, failure, refuse, service } from "../../support/fixtures";
import { inProcess } from "../../support/inProcess";
import { sessionWith } from "../../support/sessions";
import { simulate, type Simulation } from "../../support/simulation";
import { withService } from "../../support/withService";

const minute = 60_000;
const { Service } = lifecycles;

type State = Awaited<ReturnType<typeof Service.create>>["state"];

const protectedService = (change: object = {}) => service({ ...change, deletionProtection: true });

/** A host in an environment with these settings, whose API is the one of a simulation or cannot be reached. */
function hostWith(env: Readonly<Record<string, string>>, world?: Simulation, deletionProtection?: string) {
    const ofWorld = world && { clock: world.run().clock, adapter: inProcess(world.emulator) };
    const session = sessionWith({ env, ...ofWorld });
    session.configure((key) => (key === "deletionProtection" ? deletionProtection : undefined));
    return Service.in(session);
}

describe("the state records deletionProtection", () => {
    it.each([
        ["true", true],
        ["false", false],
        [undefined, true],
    ])("after a creation, an adoption and an import, if the configuration has %j", async (value, expected) => {
        const world = await simulate();
        const host = () => hostWith(world.emulator.env, world, value);
        const up = (inputs: object) => {
            const one = host();
            return one.create(one.check({ __urn: "urn::orders", ...inputs }, {}).inputs);
        };
        const created = await up({ name: "orders" });
        const adopted = await up({ existingId: created.id });
        const imported = await host().import(created.id, {});
        for (const { state } of [created, adopted, imported]) {
            expect(state).toMatchObject({ deletionProtection: expected });
        }
    });

    it("after an import, together with what the program declares", async () => {
        const world = await simulate();
        const { id } = await Service.create(protectedService(), world.run());
        const { projectId } = world.emulator;
        const { state } = await Service.import(id, { projectId }, world.run());
        const updated = await Service.update(id, state, service({ deletionProtection: false }), world.run());
        expect(updated).toMatchObject({ deletionProtection: false });
        expect(updated.record.declared).toEqual(["projectId"]);
        expect(updated.record.imported).toBeUndefined();
    });

    it.each(["is UNSTABLE", "is gone"])(
        "without a request and without waiting if only it changes, and the service %s",
        async (what) => {
            const { world, id, state, update } = await withService(protectedService());
            if (what === "is gone") {
                world.emulator.deleteService(id);
            } else {
                world.emulator.setServiceStatus(id, "UNSTABLE");
            }
            const beganAt = world.clock.now();
            expect(await update(service())).toEqual({ ...state, deletionProtection: false });
            expect(world.emulator.journal()).toEqual([]);
            expect(world.clock.now()).toBe(beganAt);
        },
    );

    it("without any setting", async () => {
        const { id, state } = await withService(protectedService());
        const next = await hostWith({}).update(id, state, service());
        expect(next).toMatchObject({ serviceId: id, status: "READY", deletionProtection: false });
    });
});

describe("an update that fails records deletionProtection", () => {
    it.each([true, false])("%s, because the new password cannot be read", async (deletionProtection) => {
        const source = (passwordVersion: number) => ({ passwordVariable: "TEST_PASSWORD", passwordVersion });
        process.env.TEST_PASSWORD = "a-long-password";
        const before = service({ ...source(1), deletionProtection: !deletionProtection });
        const { world, fails } = await withService(before);
        delete process.env.TEST_PASSWORD;
        const failed = await fails(service({ ...source(2), deletionProtection }));
        expect(failed.message).toContain("TEST_PASSWORD");
        expect(failed.state).toMatchObject({ deletionProtection, passwordVersion: 1 });
        expect(world.emulator.journal()).toEqual([]);
    });

    it("because it has no token, or the API rejects its first request", async () => {
        const { world, id, state, fails } = await withService(protectedService());
        world.emulator.addFaults(["setEnvironment#1+:400"]);
        const changed = service({ environment: "PROD" });
        const withoutToken = hostWith({ CLOUDDB_BASE_URL: "http://127.0.0.1:9/v1" });
        const failed = await failure(withoutToken.update(id, state, changed));
        expect(causesOf(failed)).toContainEqual(expect.any(ConfigError));
        for (const { state: left } of [failed, await fails(changed)]) {
            expect(left).toMatchObject({ serviceId: id, environment: "DEV", deletionProtection: false });
        }
    });
});

it.each(["a creation", "an adoption"])(
    "an update after %s that failed first records a changed deletionProtection, without the API, and says so; the next one completes it",
    async (kind) => {
        const world = await simulate();
        const wanted = { connectionPooler: true, ...(kind === "an adoption" ? await byHand(world) : {}) };
        world.fault.at("enablePooler", refuse);
        const failed = await failure(Service.create(protectedService(wanted), world.run()));
        expect(failed.state).toMatchObject({ deletionProtection: true });
        const requests = world.emulator.journal().length;
        const { interruption } = failed.state.record;
        const inputs = service(wanted);
        const plan = (deletionProtection: boolean | Computed) =>
            Service.plan(failed.state as State, { ...inputs, deletionProtection }).steps;
        expect(plan(false)).toEqual([]);
        // It may not change, and the update then resumes.
        expect(plan(computed)).toHaveLength(1);
        const permitted = await Service.update(failed.id, failed.state as State, inputs, world.run());
        const expected = { record: { interruption }, deletionProtection: false, connectionPooler: false };
        expect(permitted).toMatchObject(expected);
        expect(world.emulator.journal()).toHaveLength(requests);
        expect(world.warnings.at(-1)).toContain("The next `pulumi up` will: complete it; connection pooler on");
        const again = await failure(Service.update(failed.id, permitted, inputs, world.run()));
        expect(again.state).toMatchObject(expected);
        world.fault.over();
        const complete = await Service.update(failed.id, again.state as State, inputs, world.run());
        expect(complete).toMatchObject({ status: "READY", connectionPooler: true });
        expect(complete.record.interruption).toBeUndefined();
    },
);

describe("an update after an update that failed", () => {
    const resized = { cpuMillis: 1000, memoryGbs: 4 };

    /** A protected service whose last update was rejected. */
    async function start() {
        const { world, id, ...rest } = await withService(protectedService());
        world.fault.at("resizeService", refuse);
        const { state } = await rest.fails(protectedService(resized));
        return { world, id, from: state as object, ...rest };
    }

    it("records a changed deletionProtection and does the rest in the same run", async () => {
        const { world, from, update, lines } = await start();
        world.fault.over();
        expect(lines(service(resized), from)).toHaveLength(1);
        const state = await update(service(resized), { from });
        expect(state).toMatchObject({ ...resized, deletionProtection: false });
        expect(state.record.interruption).toBeUndefined();
    });

    it("records it although this run fails, too, also if the service never rests, which stays deletable", async () => {
        const { world, id, from, fails } = await start();
        expect((await fails(service(resized), { from })).state).toMatchObject({ deletionProtection: false });
        world.fault.over();
        world.emulator.setServiceStatus(id, "OPTIMIZING");
        const stuck = await fails(service(resized), { from, timeMs: minute });
        expect(stuck.state).toMatchObject({ deletionProtection: false, cpuMillis: 500 });
        world.emulator.setServiceStatus(id, "UNSTABLE");
        await Service.delete(id, stuck.state as never, world.run());
        expect(world.emulator.snapshot().services).toEqual([]);
    });
});

/** The id of a service that somebody else has created. */
async function byHand(world: Simulation) {
    const { id } = await Service.create(service({ name: "made-by-hand" }), world.run());
    return { existingId: id };
}
