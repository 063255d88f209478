import type { Declared } from "../../../provider/model/resource";
import { PartialFailure } from "../../../provider/lifecycle/errors";
import { refuse, service } from "../../support/fixtures";
import { sessionsOn } from "../../support/hosts";
import { lifecycles } from "../../support/lifecycles";
import { simulate } from "../../support/simulation";

const { Service } = lifecycles;

type State = Awaited<ReturnType<typeof Service.create>>["state"];

/** What the engine stores of a resource. */
interface Entry {
    readonly id: string;
    readonly state?: State;
    readonly inputs: object;
}

/** A service that somebody else has made, and the runs of a program with it. */
async function found() {
    const world = await simulate();
    const { id } = await world.emulator.createService({ name: "orders" });
    world.emulator.updateService(id, { replicaCount: 2, pooler: true });
    world.changes();
    /** A run, also one that fails. Its result is what the engine then stores. */
    const run = async (declared: object, entry: Entry) => {
        const lifecycle = Service.in(sessionsOn(world).startSession());
        const inputs = lifecycle.check({ ...service(declared), __urn: "urn::orders" }, entry.inputs).inputs;
        const { state } = entry;
        if (state !== undefined && !lifecycle.diff(id, state, inputs).changes) {
            return { id, inputs, state, error: undefined };
        }
        const work = state ? Service.update(id, state, inputs, world.run()) : Service.create(inputs, world.run());
        return work.then(
            (done) => ({ id, inputs, state: "state" in done ? done.state : done, error: undefined }),
            (error: unknown) => {
                expect(error).toBeInstanceOf(PartialFailure);
                return { id, inputs, state: (error as PartialFailure).state as State, error };
            },
        );
    };
    const refused = async (declared: object, entry: Entry) => {
        world.fault.at("setHA", refuse);
        const failed = await run(declared, entry);
        expect(failed.error).toBeDefined();
        world.fault.over();
        return failed;
    };
    const adopts = { existingId: id };
    return { world, id, adopts, run, refused, before: { id, inputs: {} } };
}

type Made = Awaited<ReturnType<typeof found>>;

const imported = async ({ id, world }: Made): Promise<Entry> => ({
    id,
    ...(await Service.import(id, { projectId: world.emulator.projectId }, world.run())),
});

/** An entry that does not manage the values of the service, and the program of it. */
const beginnings: [string, (made: Made) => Promise<readonly [Entry, Partial<Declared>]>][] = [
    ["adopted", async ({ run, adopts, before }) => [await run(adopts, before), adopts]],
    [
        "adopted in two runs",
        async ({ run, world, adopts, before }) => {
            world.fault.at("setEnvironment", refuse);
            const failed = await run({ ...adopts, environment: "PROD" }, before);
            expect(failed.state.record).toMatchObject({ interruption: "adoption" });
            world.fault.over();
            return [await run(adopts, failed), adopts];
        },
    ],
    ["imported", async (made) => [await imported(made), {}]],
];

describe.each(beginnings)("a service that was %s", (_, begin) => {
    it("keeps what was found after a change that was refused and reverted", async () => {
        const made = await found();
        const [entry, own] = await begin(made);
        const failed = await made.refused({ ...own, replicaCount: 1, connectionPooler: false }, entry);
        const { state, error } = await made.run(own, failed);
        expect(made.world.changes()).toEqual([]);
        expect([error, state.replicaCount, state.connectionPooler]).toEqual([undefined, 2, true]);
        expect((await made.run(own, { id: made.id, inputs: failed.inputs, state })).state).toEqual(state);
    });

    it("gets the defaults of what a successful run has declared, and a later one no longer does", async () => {
        const made = await found();
        const [entry, own] = await begin(made);
        const failed = await made.refused({ ...own, replicaCount: 1 }, entry);
        const declared = await made.run({ ...own, replicaCount: 1 }, failed);
        made.world.changes();
        await made.run(own, declared);
        expect(made.world.changes()).toEqual(['setHA {"replica_count":0,"sync_replica_count":0}']);
    });
});

it("an adoption that is refused and reverted keeps what it has found", async () => {
    const { world, adopts, before, run, refused } = await found();
    const failed = await refused({ ...adopts, replicaCount: 1, connectionPooler: false }, before);
    const { state } = await run(adopts, failed);
    expect(world.changes()).toEqual([]);
    expect(state).toMatchObject({ replicaCount: 2, connectionPooler: true });
});

it("what a program has declared since an import without a change counts, also after a run that failed", async () => {
    const made = await found();
    const entry = await imported(made);
    const own = { deletionProtection: true };
    const same = await made.run({ ...own, connectionPooler: true }, entry);
    expect(same.state).toBe(entry.state);
    const failed = await made.refused({ ...own, connectionPooler: true, replicaCount: 1 }, same);
    await made.run(own, failed);
    expect(made.world.changes()).toEqual(["disablePooler"]);
});
