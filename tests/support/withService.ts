import type { EmulatorOptions } from "../../emulator";
import { failure, service } from "./fixtures";
import { lifecycles } from "./lifecycles";
import { simulate } from "./simulation";

/** A simulation with a service, which has forgotten the requests and the output of the creation. */
export async function withService(declared = service(), options: EmulatorOptions = {}) {
    const world = await simulate(options);
    const { id, state } = await lifecycles.Service.create(declared, world.run());
    world.changes();
    world.statusLines.length = 0;
    world.infos.length = 0;
    return { world, id, state };
}

/** The interrupted creation of a service that reads do not show for 5 s. */
export async function withUnseenService() {
    const world = await simulate({ durations: { notFoundAfterCreate: 5_000, create: 100_000 } });
    const { id, state } = await failure(lifecycles.Service.create(service(), world.run({ timeMs: 1_000 })));
    expect(state).toMatchObject({ record: { interruption: "unseen" } });
    return { world, id, state: state as never };
}
