import type { EmulatorOptions } from "../../emulator";
import { service } from "./fixtures";
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
