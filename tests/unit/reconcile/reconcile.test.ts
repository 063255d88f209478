import { lifecycles } from "../../support/lifecycles";
import { call, replicaSet, service } from "../../support/fixtures";
import { simulate, type Simulation } from "../../support/simulation";
import { withService } from "../../support/withService";

const { ReadReplicaSet, Service } = lifecycles;
const [second, minute] = [1_000, 60_000];

const larger = () => service({ cpuMillis: 4000, memoryGbs: 16 });

/** Work, with the changes that the API rejects during it and its duration in seconds. */
async function observed<T>({ emulator, clock }: Simulation, work: () => Promise<T>) {
    emulator.clearJournal();
    const beganAt = clock.now();
    const result = await work().catch((error: unknown) => error as Error);
    const rejected = emulator
        .journal()
        .filter(({ method, status }) => method !== "GET" && status === 409)
        .map(({ operationId }) => operationId);
    return { result, rejected, tookS: (clock.now() - beganAt) / second };
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
        const { result, rejected } = await observed(parts.world, change(parts));
        expect(result).not.toBeInstanceOf(Error);
        expect(rejected.length).toBeLessThanOrEqual(1);
    });
});

test("a rejection that only another request can judge is repeated at most six times in a minute, and succeeds at most 15 s after its cause has ended", async () => {
    const world = await simulate({ durations: { firstBackup: minute } });
    const parent = await Service.create(service(), world.run());
    const fork = service({ name: "copy", fork: { serviceId: parent.id, strategy: "NOW" } });
    const { id } = await Service.create(fork, world.run());
    const { result, rejected, tookS } = await observed(world, () => ReadReplicaSet.create(replicaSet(id), world.run()));
    expect(result).not.toBeInstanceOf(Error);
    expect(rejected.length).toBeLessThanOrEqual(6);
    const creationS = 30;
    expect(tookS).toBeLessThan(60 + 15 + creationS);
});

test("an update fails within seconds if somebody pauses the service before the change is visible", async () => {
    const { world, id, state } = await withService();
    world.fault.at("resizeService", async () => {
        const body = JSON.stringify(await call(world, "stopService", { service_id: id }));
        return { status: 202, headers: {}, body };
    });
    const { result, tookS } = await observed(world, () => Service.update(id, state, larger(), world.run()));
    expect((result as Error).message).toContain("it is paused, but must be running");
    expect((result as Error).message).toContain("repeat `pulumi up`");
    expect(tookS).toBeLessThan(30);
});
