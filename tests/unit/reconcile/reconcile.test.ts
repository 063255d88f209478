import { lifecycles } from "../../support/lifecycles";
import { call, replicaSet, service, timed } from "../../support/fixtures";
import { simulate, type Simulation } from "../../support/simulation";
import { withService } from "../../support/withService";

const { ReadReplicaSet, Service } = lifecycles;
const [second, minute] = [1_000, 60_000];

const larger = () => service({ cpuMillis: 4000, memoryGbs: 16 });

/** The number of changes that the API rejects during work that succeeds, and its duration. */
async function observed(world: Simulation, work: () => Promise<unknown>) {
    world.emulator.clearJournal();
    const { error, tookMs } = await timed(world, work);
    expect(error).toBeUndefined();
    const rejected = world.emulator.journal().filter(({ method, status }) => method !== "GET" && status === 409);
    return { rejected: rejected.length, tookMs };
}

/** A service that another person's change keeps busy for 20 s. */
async function busy() {
    const { world, id, state } = await withService(service(), { durations: { setHA: 20 * second } });
    const set = await ReadReplicaSet.create(replicaSet(id), world.run());
    const occupy = () => call(world, "setHA", { service_id: id }, { replica_count: 1 });
    return { world, id, state, set, occupy };
}

describe("a change of a busy service waits by reading", () => {
    type Busy = Awaited<ReturnType<typeof busy>>;
    const changes: Readonly<Record<string, (parts: Busy) => () => Promise<unknown>>> = {
        "a change of the service":
            ({ world, id, state }) =>
            () =>
                Service.update(id, state, larger(), world.run()),
        "a new read replica set":
            ({ world, id }) =>
            () =>
                ReadReplicaSet.create({ ...replicaSet(id), name: "another" }, world.run()),
        "a change of a read replica set":
            ({ world, id, set }) =>
            () =>
                ReadReplicaSet.update(
                    set.id,
                    set.state,
                    { ...replicaSet(id), cpuMillis: 1000, memoryGbs: 4 },
                    world.run(),
                ),
        "the deletion of a read replica set":
            ({ world, set }) =>
            () =>
                ReadReplicaSet.delete(set.id, set.state, world.run()),
        "a fork":
            ({ world, id }) =>
            () =>
                Service.create(service({ name: "copy", fork: { serviceId: id, strategy: "NOW" } }), world.run()),
    };

    it.each(Object.entries(changes))("%s costs at most one rejected request", async (_, change) => {
        const parts = await busy();
        await parts.occupy();
        const { rejected } = await observed(parts.world, change(parts));
        expect(rejected).toBeLessThanOrEqual(1);
    });
});

test("a rejection that only another request can judge is repeated at most six times in a minute, and succeeds at most 15 s after its cause has ended", async () => {
    const world = await simulate({ durations: { firstBackup: minute } });
    const parent = await Service.create(service(), world.run());
    const fork = service({ name: "copy", fork: { serviceId: parent.id, strategy: "NOW" } });
    const { id } = await Service.create(fork, world.run());
    const { rejected, tookMs } = await observed(world, () => ReadReplicaSet.create(replicaSet(id), world.run()));
    expect(rejected).toBeLessThanOrEqual(6);
    const creationMs = 30 * second;
    expect(tookMs).toBeLessThan(minute + 15 * second + creationMs);
});
