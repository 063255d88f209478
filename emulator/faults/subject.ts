import type { EmulatorResponse, Exchange } from "../pipeline";
import type { PeeringRecord, ReplicaSetRecord, ServiceRecord, VpcRecord } from "../world/state";
import type { World } from "../world/world";

/** The resource that a call created or addressed. */
export type Subject =
    | { kind: "vpc"; record: VpcRecord }
    | { kind: "peering"; record: PeeringRecord }
    | { kind: "service"; record: ServiceRecord }
    | { kind: "replicaSet"; record: ReplicaSetRecord };

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
    const created = (response.body === "" ? {} : JSON.parse(response.body)) as { id?: string; service_id?: string };
    const [path = ""] = request.path.split("?");
    const idOf = (segment: string) => new RegExp(`/${segment}/([^/]+)`).exec(path)?.[1];
    const peering = world.peerings.get((operationId === "createPeering" ? created.id : idOf("peerings")) ?? "");
    if (peering) {
        return { kind: "peering", record: peering };
    }
    const vpc = world.vpcs.get((operationId === "createVpc" ? created.id : idOf("vpcs")) ?? "");
    if (vpc) {
        return { kind: "vpc", record: vpc };
    }
    const set = world.replicaSets.get((operationId === "createReplicaSet" ? created.id : idOf("replicaSets")) ?? "");
    if (set) {
        return { kind: "replicaSet", record: set };
    }
    const isCreation = operationId === "createService" || operationId === "forkService";
    const service = world.services.get((isCreation ? created.service_id : idOf("services")) ?? "");
    return service && { kind: "service", record: service };
}
