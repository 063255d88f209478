import { lifecycles } from "../../support/lifecycles";
import { partsOf } from "../../../provider/api/callErrors";
import { call, labelsOf, pause, replicaSet, respond, service, timed } from "../../support/fixtures";
import { simulate, type Simulation } from "../../support/simulation";
import { withService } from "../../support/withService";

const { ReadReplicaSet, Service } = lifecycles;
const [second, minute] = [1_000, 60_000];

/** The number of changes that the API rejects during work that succeeds, and its duration. */
async function observed(world: Simulation, work: () => Promise<unknown>) {
    world.emulator.clearJournal();
    const { error, tookMs } = await timed(world, work);
    expect(error).toBeUndefined();
    const rejected = world.emulator.changes().filter(({ status }) => status === 409);
    return { rejected: rejected.length, tookMs };
}

/** A service, and its read replica set. */
async function start() {
    const parts = await withService(service(), { durations: { setHA: 20 * second } });
    return { ...parts, set: await ReadReplicaSet.create(replicaSet(parts.id), parts.world.run()) };
}

const larger = { cpuMillis: 1000, memoryGbs: 4 };
const fork = (serviceId: string) => service({ name: "copy", fork: { serviceId, strategy: "NOW" } });

type Change = (parts: Awaited<ReturnType<typeof start>>) => Promise<unknown>;
const changes: Readonly<Record<string, Change>> = {
    "a change of the service": ({ update }) => update(service(larger)),
    "a new read replica set": ({ world, id }) =>
        ReadReplicaSet.create({ ...replicaSet(id), name: "another" }, world.run()),
    "a change of a read replica set": ({ world, id, set }) =>
        ReadReplicaSet.update(set.id, set.state, { ...replicaSet(id), ...larger }, world.run()),
    "the deletion of a read replica set": ({ world, set }) => ReadReplicaSet.delete(set.id, set.state, world.run()),
    "a fork": ({ world, id }) => Service.create(fork(id), world.run()),
    "the deletion of the service": async ({ world, id, state, set }) => {
        world.emulator.deleteReplicaSet(set.state.replicaSetId);
        return Service.delete(id, state, world.run());
    },
};

test.each(Object.entries(changes))(
    "%s that another person's change keeps busy waits by reading, and costs at most one rejected request",
    async (_, change) => {
        const parts = await start();
        await call(parts.world, "setHA", { service_id: parts.id }, { replica_count: 1 });
        const { rejected } = await observed(parts.world, () => change(parts));
        expect(rejected).toBeLessThanOrEqual(1);
    },
);

test("a rejection that only another request can judge is repeated at most six times in a minute, and succeeds at most 15 s after its cause has ended", async () => {
    const world = await simulate({ durations: { firstBackup: minute } });
    const parent = await Service.create(service(), world.run());
    const { id } = await Service.create(fork(parent.id), world.run());
    const { rejected, tookMs } = await observed(world, () => ReadReplicaSet.create(replicaSet(id), world.run()));
    expect(rejected).toBeLessThanOrEqual(6);
    const creationMs = 30 * second;
    expect(tookMs).toBeLessThan(minute + 15 * second + creationMs);
});

const large = service({ cpuMillis: 4000, memoryGbs: 16 });
/** A rejection. */
const busy = { status: 409, headers: {}, body: '{"code":"BUSY","message":"another change is in progress"}' };

test("a change that the API rejects succeeds if it is already in effect", async () => {
    const { world, id, update } = await withService();
    world.fault.at("setHA", () => {
        world.emulator.updateService(id, { replicaCount: 1 });
        return Promise.resolve(busy);
    });
    const { error, tookMs } = await timed(world, () => update(service({ replicaCount: 1 })));
    expect(error).toBeUndefined();
    expect(tookMs).toBeLessThan(minute);
});

test.each([1, 3, 10, 20])(
    "an update that the API rejects until its time limit of %d s names the rejection",
    async (seconds) => {
        const { world, fails } = await withService();
        world.fault.at("resizeService", respond(409, busy.body));
        const beganAt = world.clock.now();
        const error = await fails(large, { timeMs: seconds * 1_000 });
        expect(world.clock.now() - beganAt).toBe(seconds * 1_000);
        expect(error.message).toContain(`timed out after ${seconds} s`);
        expect(error.message).toContain("another change is in progress");
        expect(partsOf(error).details).toMatch(/^resizeService\b/);
    },
);

test("an update that is rejected while the platform maintains the service succeeds after what Retry-After says", async () => {
    const { world, update } = await withService();
    const beganAt = world.run().clock.now();
    world.fault.at("resizeService", (_, carryOut) =>
        world.run().clock.now() - beganAt < 4 * minute
            ? Promise.resolve({ ...busy, headers: { "retry-after": "20" } })
            : carryOut(),
    );
    world.emulator.clearJournal();
    await update(large);
    expect(world.emulator.journal().filter(({ operationId }) => operationId === "resizeService")).toHaveLength(13);
    expect(world.statusLines.join("\n")).toContain("another change is in progress");
});

test("a rejected update without a visible reason fails after five minutes with the reason", async () => {
    const { world, update } = await withService();
    world.fault.at("resizeService", respond(409, '{"code":"QUOTA","message":"quota exceeded"}'));
    world.emulator.clearJournal();
    const { error, tookMs } = await timed(world, () => update(large));
    expect(error).toMatchObject({ cause: { cause: { status: 409, code: "QUOTA" } } });
    expect(tookMs).toBeGreaterThanOrEqual(5 * minute);
    expect(tookMs).toBeLessThan(5.5 * minute);
    expect(world.emulator.changes()).toHaveLength(23);
    expect(world.statusLines.join("\n")).toContain("quota");
});

test("a rejected step of a creation without a visible reason fails within a minute: no platform maintains a new resource", async () => {
    const world = await simulate();
    let firstAt = 0;
    const rejection = respond(409, '{"code":"QUOTA","message":"quota exceeded"}');
    world.fault.at("enablePooler", (exchange, carryOut) => {
        firstAt ||= world.clock.now();
        return rejection(exchange, carryOut);
    });
    await expect(Service.create(service({ connectionPooler: true }), world.run())).rejects.toThrow("quota exceeded");
    expect(world.clock.now() - firstAt).toBeLessThan(minute);
});

test("a change that every version of the API has fails with its message if the API rejects the values", async () => {
    const { world, fails } = await withService();
    world.fault.at("resizeService", respond(400, '{"code":"SIZE","message":"no such size"}'));
    const error = await fails(service(larger));
    expect(error.message).toContain("was not updated: 400 SIZE: no such size.");
    expect(labelsOf(error)).toEqual(["Correct"]);
});

test("a rejection is retried for as long as the service is busy again and again, a second after each time", async () => {
    const { world, id } = await withService();
    let rejections = 0;
    world.fault.at("forkService", (_, carryOut) => {
        if (rejections === 12) {
            return carryOut();
        }
        rejections += 1;
        world.emulator.setServiceStatus(id, "UPGRADING", minute / 2);
        return Promise.resolve(busy);
    });
    await Service.create(fork(id), world.run());
    expect(rejections).toBe(12);
});

const needing: Readonly<
    Record<string, (parts: Awaited<ReturnType<typeof withService>>) => Promise<() => Promise<unknown>>>
> = {
    "a fork": async ({ world, id }) => {
        await pause(world, id);
        return () => Service.create(fork(id), world.run({ timeMs: 12 * 60 * minute }));
    },
    "a new read replica set": async ({ world, id }) => {
        await pause(world, id);
        return () => ReadReplicaSet.create(replicaSet(id), world.run());
    },
    "a resize of a read replica set": async ({ world, id }) => {
        const set = await ReadReplicaSet.create(replicaSet(id), world.run());
        await pause(world, id);
        return () => ReadReplicaSet.update(set.id, set.state, { ...replicaSet(id), nodes: 2 }, world.run());
    },
};

test.each(Object.entries(needing))(
    "%s of a paused service fails at once, and names the service",
    async (_, prepare) => {
        const parts = await withService();
        const work = await prepare(parts);
        const { error, tookMs } = await timed(parts.world, work);
        expect(error?.message).toContain(parts.id);
        expect(error?.message).toContain("PAUSED");
        expect(labelsOf(error)).not.toEqual([]);
        expect(tookMs).toBeLessThan(5_000);
    },
);
