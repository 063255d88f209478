import type { Interceptor } from "../../emulator";
import type { State } from "../../provider/model/resource";
import { untypedResources } from "../../provider/resources";
import { untypedKinds } from "./cases";
import { network, peering, replicaSet, service } from "./fixtures";
import { lifecycles, untypedLifecycles } from "./lifecycles";
import { simulate, type Simulation } from "./simulation";

type Kind = "Vpc" | "Peering" | "Service" | "ReadReplicaSet";

/** The calls that read, list and delete a resource of a kind. */
function callsOf(kind: Kind) {
    const { list: lists, get: reads = lists, delete: deletes = "" } = untypedResources[kind].operations;
    return { kind, reads, lists, deletes };
}

export const callsOfKinds = (["Vpc", "Peering", "Service", "ReadReplicaSet"] as const).map(callsOf);

/** The inputs of a resource of each kind, in the parent that it needs, and those of an update. */
const inputsOf: Readonly<Record<Kind, (world: Simulation) => Promise<readonly [before: object, after: object]>>> = {
    Vpc: () => Promise.resolve([network, { ...network, name: "new" }]),
    Peering: async ({ run }) => {
        const { id } = await lifecycles.Vpc.create(network, run());
        return [peering(id), peering(id)];
    },
    Service: () => Promise.resolve([service(), service({ environment: "PROD" })]),
    ReadReplicaSet: async ({ run }) => {
        const { id } = await lifecycles.Service.create(service(), run());
        return [replicaSet(id), { ...replicaSet(id), nodes: 2 }];
    },
};

const notFound = { status: 404, headers: {}, body: '{"code":"NOT_FOUND","message":"There is no such thing."}' };

/** A resource of a kind, and an API that returns 404 on request. */
export async function createMissing(kind: Kind) {
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
    const [before, after] = await inputsOf[kind](world);
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
