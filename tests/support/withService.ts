import type { EmulatorOptions } from "../../emulator";
import { failure, linesOf, service } from "./fixtures";
import { lifecycles } from "./lifecycles";
import type { RunParts } from "./provider";
import { simulate } from "./simulation";

const { Service } = lifecycles;
type Declared = Parameters<typeof Service.create>[0];

/** A simulation with a service, which has forgotten the requests and the output of the creation. */
export async function withService(declared = service(), options: EmulatorOptions = {}) {
    const world = await simulate(options);
    const { id, state } = await Service.create(declared, world.run());
    world.changes();
    world.statusLines.length = 0;
    world.infos.length = 0;
    const update = (inputs: Declared, { from = state, ...run }: RunParts & { from?: object } = {}) =>
        Service.update(id, from as typeof state, inputs, world.run(run));
    return {
        world,
        id,
        state,
        /** Updates the service, whose state is the one after the creation or another one. */
        update,
        /** The error of such an update. */
        fails: (...args: Parameters<typeof update>) => failure(update(...args)),
        /** The lines of a plan. */
        lines: (inputs: Declared, from: object = state) => linesOf(Service.plan(from as typeof state, inputs)),
    };
}

/** The interrupted creation of a service that reads do not show for 5 s. */
export async function withUnseenService() {
    const world = await simulate({ durations: { notFoundAfterCreate: 15_000, create: 100_000 } });
    const { id, state } = await failure(Service.create(service(), world.run({ timeMs: 1_000 })));
    expect(state).toMatchObject({ record: { interruption: "unseen" } });
    return { world, id, state: state as never };
}
