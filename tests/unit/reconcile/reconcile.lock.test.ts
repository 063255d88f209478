import { Locks } from "../../../provider/model/locks";
import { failure, replicaSet, service } from "../../support/fixtures";
import { lifecycles } from "../../support/lifecycles";
import { simulateConcurrently } from "../../support/simulation";
import { settled } from "../../support/virtualClock";

const { ReadReplicaSet, Service } = lifecycles;
const minute = 60_000;

it("a lock has one holder at a time, in order of arrival, although one gives up, and other keys are independent", async () => {
    const mutex = new Locks();
    const log: string[] = [];
    const releases = new Map<string, () => void>();
    const acquire = async (name: string, key: string, ...waitForLock: [] | [() => Promise<never>]) => {
        releases.set(name, await mutex.acquire(key, ...waitForLock));
        log.push(name);
    };
    const release = async (name: string) => {
        releases.get(name)?.();
        await settled();
    };
    void acquire("first", "a");
    void acquire("second", "a");
    await expect(acquire("impatient", "a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    void acquire("third", "a");
    void acquire("other", "b");
    await settled();
    expect(log).toEqual(["first", "other"]);
    await release("first");
    expect(log).toEqual(["first", "other", "second"]);
    await release("second");
    expect(log).toEqual(["first", "other", "second", "third"]);
    expect(mutex.isBusy("a")).toBe(true);
    await release("third");
    expect(mutex.isBusy("a")).toBe(false);
});

/** Updates a read replica set to two nodes, with this much time. */
const enlarge = (
    { run }: Awaited<ReturnType<typeof simulateConcurrently>>["provider"],
    { id, state }: Awaited<ReturnType<typeof ReadReplicaSet.create>>,
    timeMs: number,
) => ReadReplicaSet.update(id, state, { ...replicaSet(state.serviceId), name: state.name, nodes: 2 }, run({ timeMs }));

it("a wait for the lock times out at its own deadline, and sends nothing afterwards", async () => {
    const { clock, emulator, statusLines, provider } = await simulateConcurrently({
        intercept: async (exchange, carryOut) => {
            const response = await carryOut();
            if (exchange.operationId === "setHA") {
                emulator.setServiceStatus(created.id, "CONFIGURING");
            }
            return response;
        },
    });
    const created = await Service.create(service(), provider.run());
    const set = await ReadReplicaSet.create(replicaSet(created.id), provider.run());
    const beganAt = clock.now();
    const declared = service({ replicaCount: 1 });
    const long = failure(Service.update(created.id, created.state, declared, provider.run({ timeMs: 6 * minute })));
    const { cause } = await failure(enlarge(provider, set, 5 * minute));
    expect(clock.now() - beganAt).toBe(5 * minute);
    const [, lastStatus] = /timed out after 5 min: (.*) for 5 min/.exec(String(cause)) ?? [];
    expect(statusLines).toContain(lastStatus);
    await long;
    expect(emulator.journal().filter(({ operationId }) => operationId === "resizeReplicaSet")).toEqual([]);
});

it("a change that the API rejects releases the lock, so that another change can succeed in the meantime", async () => {
    let blocked = "none";
    const { clock, emulator, provider } = await simulateConcurrently({
        intercept: (exchange, carryOut) => {
            if (exchange.operationId === "resizeReplicaSet" && exchange.request.path.includes(blocked)) {
                emulator.setReplicaSetStatus(blocked, "resizing");
            }
            return carryOut();
        },
    });
    const { id } = await Service.create(service(), provider.run());
    const first = await ReadReplicaSet.create({ ...replicaSet(id), name: "first" }, provider.run());
    const second = await ReadReplicaSet.create({ ...replicaSet(id), name: "second" }, provider.run());
    blocked = first.state.replicaSetId;
    const rejected = failure(enlarge(provider, first, 6 * minute));
    const beganAt = clock.now();
    await enlarge(provider, second, 5 * minute);
    expect(clock.now() - beganAt).toBeLessThan(4 * minute);
    await rejected;
});

it("a service that is being deleted keeps its lock until it is gone", async () => {
    const { emulator, provider } = await simulateConcurrently();
    const { id, state } = await Service.create(service(), provider.run());
    const removal = Service.delete(id, state, provider.run());
    const change = failure(Service.update(id, state, service({ replicaCount: 1 }), provider.run()));
    await removal;
    await change;
    const changes = emulator.journal().filter(({ operationId }) => operationId === "setHA");
    expect(changes.map(({ status }) => status)).toEqual([404]);
});

it("changes of one service run in sequence, and changes of other services run at the same time", async () => {
    const { clock, emulator, provider } = await simulateConcurrently();
    const one = await Service.create(service({ name: "one" }), provider.run());
    const other = await Service.create(service({ name: "other" }), provider.run());
    const sets = await Promise.all(
        ["a", "b"].map((name) => ReadReplicaSet.create({ ...replicaSet(one.id), name }, provider.run())),
    );
    emulator.clearJournal();
    const beganAt = clock.now();
    const ends: number[] = [];
    const note = () => ends.push(clock.now() - beganAt);
    await Promise.all([
        Service.update(one.id, one.state, service({ name: "one", replicaCount: 1 }), provider.run()).then(note),
        Service.update(other.id, other.state, service({ name: "other", replicaCount: 1 }), provider.run()).then(note),
        ...sets.map(({ id, state }) => ReadReplicaSet.delete(id, state, provider.run())),
    ]);
    expect(emulator.journal().filter(({ status }) => status === 409)).toEqual([]);
    expect(Math.abs((ends[0] ?? 0) - (ends[1] ?? 0))).toBeLessThan(2_000);
});
