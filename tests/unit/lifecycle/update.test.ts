import { lifecycles } from "../../support/lifecycles";
import { failure, linesOf, loseResponse, network, operations, refuse, respond, service } from "../../support/fixtures";
import { simulate } from "../../support/simulation";
import { withService, withUnseenService } from "../../support/withService";
import { showsWithinMs } from "../../../provider/observe/schedule";

const { Service, Vpc } = lifecycles;

it("an update that fails in the middle keeps the completed steps, and the next one sends the rest", async () => {
    const { world, id, fails, update, lines } = await withService();
    const done = { password: "new-password", cpuMillis: 1000, memoryGbs: 4 };
    const declared = service({ ...done, replicaCount: 1, environment: "PROD" });
    world.fault.at("setHA", refuse);
    const failed = await fails(declared);
    expect(failed).toMatchObject({ id, cause: { cause: { status: 400 } } });
    expect(failed.state).toMatchObject({ ...done, replicaCount: 0, environment: "DEV" });
    expect(operations(world)).toEqual(["updatePassword", "resizeService"]);

    world.fault.over();
    expect(lines(declared, failed.state)).toEqual(["HA replicas none -> 1 async", "environment DEV -> PROD"]);
    await update(declared, { from: failed.state });
    expect(operations(world)).toEqual(["setHA", "setEnvironment"]);
});

it.each([
    ...["renameService", "resizeService", "setHA", "attachToVPC", "setEnvironment", "enablePooler"],
    ...["stopService", "updatePassword"],
])("an update whose response to %s is lost checks whether it was carried out, and continues", async (operation) => {
    const world = await simulate();
    const net = await Vpc.create(network, world.run());
    const { id, state } = await Service.create(service(), world.run());
    const declared = service({
        name: "new",
        cpuMillis: 1000,
        memoryGbs: 4,
        replicaCount: 1,
        vpcId: net.id,
        environment: "PROD",
        connectionPooler: true,
        password: "new-password",
        paused: true,
    });
    world.fault.at(operation, loseResponse, 1);
    const next = await Service.update(id, state, declared, world.run());
    expect(linesOf(Service.plan(next, declared))).toEqual([]);
    expect(world.emulator.passwordMatches(id, "new-password")).toBe(true);
    // It is sent again only if no read shows its effect.
    const sent = world.emulator.journal().filter(({ operationId }) => operationId === operation);
    expect(sent).toHaveLength(operation === "updatePassword" ? 2 : 1);
});

it("an update reads the service before its request and after it, and not more often", async () => {
    const { world, update } = await withService();
    world.emulator.clearJournal();
    await update(service({ environment: "PROD" }));
    const sent = world.emulator.journal().map(({ operationId }) => operationId);
    expect(sent).toEqual(["getService", "setEnvironment", "getService"]);
});

it("a service does not get its password again if another one was rejected", async () => {
    const old = service({ password: "old-password" });
    const { world, fails, lines } = await withService(old);
    world.fault.at("updatePassword", refuse);
    const rejected = await fails(service({ password: "x" }));
    expect(lines(old, rejected.state)).toEqual([]);
});

it("the creation of a service that reads do not show yet is resumed, also after an update that could not read it", async () => {
    const { world, id, state } = await withUnseenService();
    const failed = await failure(Service.update(id, state, service(), world.run({ timeMs: 1_000 })));
    expect(failed.state).toMatchObject({ record: { interruption: "unseen" } });
    const next = await Service.update(id, failed.state as never, service(), world.run());
    expect(next).toMatchObject({ status: "READY" });
});

describe("a reverted update whose response was lost, while reads are stale", () => {
    const declared = { environment: "PROD" } as const;

    /** A run that loses the response, and whose deadline comes before any read shows the effect. */
    async function interrupt() {
        const found = await withService();
        found.world.fault.at("setEnvironment", loseResponse, 1);
        found.world.emulator.addFaults(["setEnvironment:stale,ms=20000", "setEnvironment#2+:reset-before"]);
        const failed = await found.fails(service(declared), { timeMs: 2_000 });
        found.world.emulator.clearFaults();
        found.world.changes();
        return { ...found, failed };
    }

    it("is undone, because a rest without the effect proves nothing yet", async () => {
        const { world, id, failed, update } = await interrupt();
        const next = await update(service(), { from: failed.state });
        expect(next).toMatchObject({ environment: "DEV" });
        expect(world.emulator.snapshot().services).toMatchObject([
            { service_id: id, metadata: { environment: "DEV" } },
        ]);
        expect(next.record.unconfirmed).toBeUndefined();
    });

    it.each([
        ["long after the interruption", 0, showsWithinMs],
        ["although the interruption seems to be in the future", 3_600_000, 0],
    ])("waits no longer than an effect needs: %s", async (_, offMs, laterMs) => {
        const { world, failed, update } = await interrupt();
        world.clock.advance(0);
        world.emulator.updateService(failed.id, { environment: "DEV" });
        world.clock.advance(laterMs);
        const beganAt = world.clock.now();
        const { record } = failed.state;
        const from = { ...failed.state, record: { ...record, interruptedAt: Number(record.interruptedAt) + offMs } };
        await update(service(), { from });
        const tookMs = world.clock.now() - beganAt;
        expect(tookMs).toBeLessThan(laterMs === 0 ? showsWithinMs + 5_000 : 5_000);
        expect(operations(world)).toEqual([]);
    });
});

it("a change whose request was lost is made by the repetitions within the time that an effect needs, however short they are", async () => {
    const { world, id, fails, update } = await withService();
    const declared = service({ environment: "PROD" });
    world.fault.at("setEnvironment", respond(502), "all");
    let { state } = await fails(declared, { timeMs: 5_000 });
    world.fault.over();
    const { interruptedAt } = state.record;
    let runs = 0;
    for (let isDone = false; !isDone; runs += 1) {
        expect([runs < 5, state.record]).toMatchObject([true, { interruptedAt, unconfirmed: [{ value: "PROD" }] }]);
        const failed = await update(declared, { from: state, timeMs: 15_000 }).then(
            () => undefined,
            (error: unknown) => error as Awaited<ReturnType<typeof fails>>,
        );
        isDone = failed === undefined;
        state = failed?.state ?? state;
    }
    expect(world.emulator.snapshot().services).toMatchObject([{ service_id: id, metadata: { environment: "PROD" } }]);
});

it("a run that has sent a request has the time of its own failure", async () => {
    const { world, fails } = await withService();
    world.fault.at("setEnvironment", refuse);
    const first = await fails(service({ environment: "PROD" }));
    world.clock.advance(60_000);
    world.fault.at("setHA", respond(502));
    const again = await fails(service({ replicaCount: 1 }), { from: first.state, timeMs: 5_000 });
    expect(Number(again.state.record.interruptedAt)).toBeGreaterThan(Number(first.state.record.interruptedAt) + 60_000);
});
