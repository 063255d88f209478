import type { Kind } from "../kinds";
import type { EmulatorResponse, Exchange } from "../pipeline";
import type { OperationId } from "../wire";
import type { Records } from "../world/state";
import type { World } from "../world/world";

/** The resource that a call created or addressed. */
export type Subject = { [K in Kind]: { kind: K; record: Records[K] } }[Kind];

/** The operations whose response contains the id of a new resource. */
const creations: Partial<Record<OperationId, Kind>> = {
    createVpc: "vpcs",
    createPeering: "peerings",
    createService: "services",
    forkService: "services",
    createReplicaSet: "replicaSets",
};

/** A path can contain the ids of two kinds. The contained resource comes first. */
const innermostFirst: readonly Kind[] = ["peerings", "vpcs", "replicaSets", "services"];

/**
 * Finds the resource by the response of a creation, or by the path of any other call. Undefined if there is none, or if it was
 * deleted.
 */
export function subjectOf(
    { operationId, request }: Exchange,
    response: EmulatorResponse,
    world: World,
): Subject | undefined {
    if (response.status >= 300) {
        return undefined;
    }
    const { id, service_id } = JSON.parse(response.body || "{}") as { id?: string; service_id?: string };
    const [path = ""] = request.path.split("?");
    for (const kind of innermostFirst) {
        const inPath = new RegExp(`/${kind}/([^/]+)`).exec(path)?.[1];
        const record = world.records(kind).get((creations[operationId] === kind ? (id ?? service_id) : inPath) ?? "");
        if (record) {
            return { kind, record } as Subject;
        }
    }
    return undefined;
}
