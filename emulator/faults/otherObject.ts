import type { EmulatorResponse } from "../pipeline";
import { peeringView, replicaSetView, serviceView, vpcView } from "../world/views";
import type { World } from "../world/world";
import type { Subject } from "./subject";

/** How much older an invented object is. */
const dayMs = 86_400_000;

/** The response with another object in place of its resource. */
export function describingAnother(response: EmulatorResponse, subject: Subject, world: World): EmulatorResponse {
    const body = JSON.parse(response.body) as Readonly<Record<string, unknown>>;
    return { ...response, body: JSON.stringify(oldestOther(subject, world) ?? invented(body)) };
}

/** The oldest other resource of the same kind in the same place. */
function oldestOther({ kind, record }: Subject, world: World): object | undefined {
    switch (kind) {
        case "vpc": {
            const other = [...world.vpcs.values()].find(
                ({ id, projectId }) => id !== record.id && projectId === record.projectId,
            );
            return other && vpcView(other);
        }
        case "peering": {
            const other = [...world.peerings.values()].find(
                ({ id, vpcId }) => id !== record.id && vpcId === record.vpcId,
            );
            return other && peeringView(other);
        }
        case "service": {
            const other = [...world.services.values()].find(
                ({ id, projectId }) => id !== record.id && projectId === record.projectId,
            );
            return other && serviceView(world, other);
        }
        case "replicaSet": {
            const other = [...world.replicaSets.values()].find(
                ({ id, serviceId }) => id !== record.id && serviceId === record.serviceId,
            );
            const parent = other && world.services.get(other.serviceId);
            return other && parent && replicaSetView(other, parent);
        }
    }
}

/** An object that does not exist, with the fields of a real one. */
function invented(body: Readonly<Record<string, unknown>>): object {
    const { created } = body;
    const others = { id: "1", service_id: "invented00", name: "invented", peer_vpc_id: "vpc-invented" };
    return {
        ...body,
        ...Object.fromEntries(Object.entries(others).filter(([name]) => name in body)),
        ...(typeof created === "string" && { created: new Date(Date.parse(created) - dayMs).toISOString() }),
    };
}
