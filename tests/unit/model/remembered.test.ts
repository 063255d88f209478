import { lifecycles, untypedLifecycles } from "../../support/lifecycles";
import { failure, linesOf, network, operations, refuse, service } from "../../support/fixtures";
import { simulate, type Simulation } from "../../support/simulation";
import { withService } from "../../support/withService";

const { Service } = lifecycles;

const password = "a-password";

it("an input without a value, and another form of a value that only a replacement changes, are no change", async () => {
    const declared = service({ regionCode: "us-east-1" });
    const { state } = await withService(declared);
    const same = { replace: [], steps: [], stateChanges: [] };
    expect(Service.plan(state, { ...declared, connectionPooler: undefined } as never)).toMatchObject(same);
    expect(Service.plan(state, { ...declared, regionCode: "US-EAST-1" })).toMatchObject(same);
});

it.each([
    ["a password that was removed", service({ password }), service(), ["password"]],
    ["a password that was added", service(), service({ password }), ["password"]],
    ["an input that was added with its default", service(), service({ replicaCount: 0 }), ["replicaCount"]],
    ["timeouts that were added", service(), { ...service(), __timeouts: { delete: "1h" } }, ["customTimeouts"]],
    ["timeouts that were removed", { ...service(), __timeouts: { delete: "1h" } }, service(), ["customTimeouts"]],
])("the recorded inputs change with %s", async (_, before, after, stateChanges) => {
    const { state, update } = await withService(before);
    expect(Service.plan(state, after)).toMatchObject({ replace: [], stateChanges });
    const next = await update(after);
    expect(Service.plan(next, after)).toMatchObject({ replace: [], steps: [], stateChanges: [] });
});

it("the recorded inputs do not change in a state that lists them in another order", async () => {
    const inputs = service({ password, replicaCount: 1 });
    const { state } = await withService(inputs);
    const old = { ...state, record: { ...state.record, declared: [...state.record.declared].reverse() } };
    expect(Service.plan(old, inputs)).toMatchObject({ replace: [], steps: [], stateChanges: [] });
});

it("the recorded inputs do not contain a removed password, and do not set it again if it is added again", async () => {
    const { world, id, update } = await withService(service({ password }));
    const without = await update(service());
    expect((await Service.read(id, without, world.run()))?.inputs).not.toHaveProperty("password");
    const again = await update(service({ password }), { from: without });
    expect(operations(world)).toEqual([]);
    expect(again.record.declared).toContain("password");
});

type RenameOutside = (world: Simulation, id: string, name: string) => unknown;
const renameService: RenameOutside = ({ emulator }, id, name) => emulator.updateService(id, { name });
const renameVpc: RenameOutside = ({ emulator }, id, name) => emulator.updateVpc(id, { name });

describe.each([
    { type: "Service", inputs: service(), renameOutside: renameService },
    { type: "Vpc", inputs: network, renameOutside: renameVpc },
] as const)("a $type whose name the program does not declare", ({ type, inputs, renameOutside }) => {
    const lifecycle = untypedLifecycles[type];
    const declared = (change: object = {}) => ({ ...inputs, ...change }) as Parameters<typeof lifecycle.create>[0];
    const moved = declared({ __urn: "urn:pulumi:dev::shop::other$pulumi-nodejs:dynamic/clouddb:Thing::moved" });
    type State = Awaited<ReturnType<typeof lifecycle.create>>["state"];

    /** Expects that the plans without a name have no step, whatever the URN. */
    const expectNoStep = (state: object) => {
        for (const program of [declared(), moved]) {
            expect(linesOf(lifecycle.plan(state as State, program))).toEqual([]);
        }
    };

    it("keeps a name that was changed outside of the program", async () => {
        const world = await simulate();
        const { id, state } = await lifecycle.create(declared(), world.run());
        renameOutside(world, id, "chosen by a person");
        const seen = await lifecycle.read(id, state, world.run());
        expect(seen?.state).toMatchObject({ name: "chosen by a person" });
        expectNoStep(seen?.state ?? {});
    });

    it("keeps its name after a rename that failed", async () => {
        const world = await simulate();
        const { id, state } = await lifecycle.create(declared({ name: "first" }), world.run());
        world.fault.at(`rename${type}`, refuse);
        const failed = await failure(lifecycle.update(id, state, declared({ name: "second" }), world.run()));
        expectNoStep(failed.state);
        world.changes();
        const next = await lifecycle.update(id, failed.state, declared(), world.run());
        expect(next).toMatchObject({ name: "first" });
        expect(operations(world)).toEqual([]);
    });

    it("shows no change for a state that an earlier version wrote with the name", async () => {
        const world = await simulate();
        const { state } = await lifecycle.create(declared(), world.run());
        const { name } = state as { name?: string };
        const old = { ...state, record: { ...state.record, defaults: { name } } } as State;
        expectNoStep(old);
        expect(lifecycle.plan(old, declared()).stateChanges).toEqual([]);
    });
});
