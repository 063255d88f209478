import { parsed } from "./answers";
import { kindFacts, kinds } from "../kinds";
import type { Kind } from "../kinds";
import type { EmulatorResponse, Exchange } from "../pipeline";
import type { Records } from "../world/state";
import type { World } from "../world/world";

/** The resource that a call created or addressed. */
export type Subject = { [K in Kind]: { kind: K; record: Records[K] } }[Kind];

/**
 * Finds the resource by the response of a creation, or by the path of any other call. Undefined if there is none, or if it was
 * deleted.
 */
export function subjectOf(exchange: Exchange, response: EmulatorResponse, world: World): Subject | undefined {
    if (response.status >= 300) {
        return undefined;
    }
    const { kind, id } = createdBy(exchange, response) ?? addressedBy(exchange) ?? {};
    const record = kind && world.records(kind).get(id ?? "");
    return record && ({ kind, record } as Subject);
}

interface Name {
    kind: Kind;
    id: string | undefined;
}

function createdBy({ operationId }: Exchange, response: EmulatorResponse): Name | undefined {
    const kind = kinds.find((one) => kindFacts[one].creates.includes(operationId));
    if (!kind) {
        return undefined;
    }
    const { id, service_id: serviceId } = (parsed(response) ?? {}) as { id?: string; service_id?: string };
    return { kind, id: id ?? serviceId };
}

const named = new RegExp(`/(${kinds.join("|")})/([^/]+)`, "g");

/** A path can contain the ids of two kinds. The contained resource comes last. */
function addressedBy({ request }: Exchange): Name | undefined {
    const [path = ""] = request.path.split("?");
    const last = [...path.matchAll(named)].at(-1);
    return last && { kind: last[1] as Kind, id: last[2] };
}
