import type { EmulatorResponse, Exchange } from "../pipeline";
import type { PeeringRecord, ReplicaSetRecord, ServiceRecord, VpcRecord } from "../world/state";
import type { World } from "../world/world";

/** What a call is about, or what it made. */
export type Subject =
    | { kind: "vpc"; record: VpcRecord }
    | { kind: "peering"; record: PeeringRecord }
    | { kind: "service"; record: ServiceRecord }
    | { kind: "replicaSet"; record: ReplicaSetRecord };

/** Finds it, by what was answered where the call made something, else by the path; undefined when there is nothing, or no more. */
export function subjectOf(
    { operationId, request }: Exchange,
    response: EmulatorResponse,
    world: World,
): Subject | undefined {
    if (response.status >= 300) return undefined;
    const made = (response.body === "" ? {} : JSON.parse(response.body)) as { id?: string; service_id?: string };
    const [path = ""] = request.path.split("?");
    const idOf = (segment: string) => new RegExp(`/${segment}/([^/]+)`).exec(path)?.[1];
    const peering = world.peerings.get((operationId === "createPeering" ? made.id : idOf("peerings")) ?? "");
    if (peering) return { kind: "peering", record: peering };
    const vpc = world.vpcs.get((operationId === "createVpc" ? made.id : idOf("vpcs")) ?? "");
    if (vpc) return { kind: "vpc", record: vpc };
    const set = world.replicaSets.get((operationId === "createReplicaSet" ? made.id : idOf("replicaSets")) ?? "");
    if (set) return { kind: "replicaSet", record: set };
    const makes = operationId === "createService" || operationId === "forkService";
    const service = world.services.get((makes ? made.service_id : idOf("services")) ?? "");
    return service && { kind: "service", record: service };
}
