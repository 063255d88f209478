import { lifecycles } from "../../support/lifecycles";
import { call, replicaSet, service, timed } from "../../support/fixtures";
import { simulate, type Simulation } from "../../support/simulation";
import { withService } from "../../support/withService";

const { ReadReplicaSet, Service } = lifecycles;
const [second, minute] = [1_000, 60_000];

/** The number of changes that the API rejects during work that succeeds, and its duration. */
async function observed(world: Simulation, work: () => Promise<unknown>) {
    world.emulator.clearJournal();
    const { error, tookMs } = await timed(world, work);
    expect(error).toBeUndefined();
    const rejected = world.emulator.journal().filter(({ method, status }) => method !== "GET" && status === 409);
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
