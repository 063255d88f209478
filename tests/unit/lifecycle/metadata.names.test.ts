import { untypedLifecycles } from "../../support/lifecycles";
import type { OperationId } from "../../../provider/api/contract";
import { failure, linesOf, loseResponse, network, operations, refuse, service } from "../../support/fixtures";
import { simulate, type Simulation } from "../../support/simulation";

interface Case {
    readonly type: "Service" | "Vpc";
    readonly inputs: object;
    readonly operation: OperationId;
    readonly renameOutside: (world: Simulation, id: string, name: string) => unknown;
}

const cases: readonly Case[] = [
    {
        type: "Service",
        inputs: service(),
        operation: "renameService",
        renameOutside: ({ emulator }, id, name) => emulator.updateService(id, { name }),
    },
    {
        type: "Vpc",
        inputs: network,
        operation: "renameVpc",
        renameOutside: ({ emulator }, id, name) => emulator.updateVpc(id, { name }),
    },
];

describe.each(cases)(
    "a $type whose name the program does not declare",
    ({ type, inputs, operation, renameOutside }) => {
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
            world.fault.at(operation, refuse);
            const failed = await failure(lifecycle.update(id, state, declared({ name: "second" }), world.run()));
            expectNoStep(failed.state);
            world.changes();
            const next = await lifecycle.update(id, failed.state, declared(), world.run());
            expect(next).toMatchObject({ name: "first" });
            expect(operations(world)).toEqual([]);
        });

        it("keeps the new name if the response to the rename was lost", async () => {
            const world = await simulate();
            const { id, state } = await lifecycle.create(declared({ name: "first" }), world.run());
            world.fault.at(operation, loseResponse, 1);
            const renamed = await lifecycle.update(id, state, declared({ name: "second" }), world.run());
            expect(renamed).toMatchObject({ name: "second" });
            expectNoStep(renamed);
        });

        it("keeps the name of an adopted resource, also after a change outside of the program", async () => {
            const world = await simulate();
            const { id } = await lifecycle.create(declared({ name: "first" }), world.run());
            const adopted = await lifecycle.create(declared({ existingId: id }), world.run());
            expect(adopted.state).toMatchObject({ name: "first" });
            expectNoStep(adopted.state);
            renameOutside(world, id, "second");
            const seen = await lifecycle.read(id, adopted.state, world.run());
            expectNoStep(seen?.state ?? {});
        });

        it("shows no change for a state that an earlier version wrote with the name", async () => {
            const world = await simulate();
            const { state } = await lifecycle.create(declared(), world.run());
            const { name } = state as { name?: string };
            const old = { ...state, record: { ...state.record, defaults: { name } } } as State;
            expectNoStep(old);
            expect(lifecycle.plan(old, declared()).stateChanges).toEqual([]);
        });
    },
);
