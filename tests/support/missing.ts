import type { Interceptor } from "../../emulator";
import type { State } from "../../provider/model/resource";
import { resourceTypes, untypedResources, type ResourceType } from "../../provider/resources";
import { changeOf, propertiesOf, untypedKinds } from "./cases";
import { refsTo } from "./cases/program";
import { checked } from "./fixtures";
import { untypedLifecycles } from "./lifecycles";
import { simulate, type Simulation } from "./simulation";

/** The calls that read, list and delete a resource of a kind. */
function callsOf(kind: ResourceType) {
    const { list: lists, get: reads = lists, delete: deletes = "" } = untypedResources[kind].operations;
    return { kind, reads, lists, deletes };
}

export const callsOfKinds = resourceTypes.map(callsOf).filter(({ deletes }) => deletes !== "");

/** The inputs of a resource of each kind, in the parent that it needs, and those of an update. */
async function inputsOf(kind: ResourceType, world: Simulation): Promise<readonly [before: object, after: object]> {
    const { parent } = untypedResources[kind];
    const type = parent?.kind.type as ResourceType | undefined;
    const made = type && (await untypedLifecycles[type].create((await inputsOf(type, world))[0], world.run()));
    const refs = refsTo(type === undefined ? {} : { [type]: made?.id });
    const inputs = { ...checked(kind, {}), ...untypedKinds[kind].inputs(refs, 0) };
    const changed = propertiesOf(kind).find(([, { announced, group }]) => announced && group === undefined);
    return [inputs, { ...inputs, ...(changed && changeOf(...changed, refs)[1]) }];
}

const notFound = { status: 404, headers: {}, body: '{"code":"NOT_FOUND","message":"There is no such thing."}' };

/** A resource of a kind, and an API that returns 404 on request. */
export async function createMissing(kind: ResourceType) {
    let hits: ((operationId: string) => boolean) | undefined;
    let hiddenUntil = -Infinity;
    const { reads, lists } = callsOf(kind);
    const intercept: Interceptor = ({ operationId }, carryOut) => {
        const isHidden = [reads, lists].includes(operationId) && world.clock.now() < hiddenUntil;
        const empty = isHidden && operationId === lists ? { ...notFound, status: 200, body: "[]" } : notFound;
        return isHidden || hits?.(operationId) ? Promise.resolve(empty) : carryOut();
    };
    const world = await simulate({ intercept });
    const lifecycle = untypedLifecycles[kind];
    const [before, after] = await inputsOf(kind, world);
    const { id, state } = await lifecycle.create(before, world.run());
    const { run, emulator } = world;
    return {
        world,
        id,
        state,
        /** Returns 404 for these operations, or for all, this number of times. */
        return404: (operations: readonly string[] | "all", times = Infinity) => {
            let left = times;
            hits = (operationId) => (operations === "all" || operations.includes(operationId)) && left-- > 0;
        },
        /** For this time, no read shows the resource. */
        hide: (ms: number) => {
            hiddenUntil = world.clock.now() + ms;
        },
        read: (known: State = state) => lifecycle.read(id, known, run()),
        update: () => lifecycle.update(id, state, after, run()),
        remove: (known: typeof state = state) => lifecycle.delete(id, known, run()),
        exists: () => untypedKinds[kind].items(emulator.snapshot()).length > 0,
    };
}
