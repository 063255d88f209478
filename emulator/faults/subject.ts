import { creationOf } from "../kinds";
import type { EmulatorResponse, Exchange } from "../exchange";
import { addressed } from "../world/find";
import type { Subject } from "../world/kind";
import type { World } from "../world/world";
import { parsed } from "./answers";

/** The resource that a call created, or that its path names. Undefined if there is none, or if it was deleted. */
export function subjectOf(
    { operationId, request }: Exchange,
    response: EmulatorResponse,
    world: World,
): Subject | undefined {
    if (response.status >= 300) {
        return undefined;
    }
    const kind = creationOf(operationId);
    if (!kind) {
        return addressed(world, request.path);
    }
    const { id, service_id: serviceId = id } = Object(parsed(response)) as { id?: string; service_id?: string };
    const record = world.records(kind).get(serviceId ?? "");
    return record && { kind, record };
}
