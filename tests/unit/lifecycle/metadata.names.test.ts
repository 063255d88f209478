import { untypedLifecycles } from "../../support/lifecycles";
import { failure, linesOf, network, operations, refuse, service } from "../../support/fixtures";
import { simulate, type Simulation } from "../../support/simulation";

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
