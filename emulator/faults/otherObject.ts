import type { Kind } from "../kinds";
import type { EmulatorResponse } from "../pipeline";
import { views } from "../world/views";
import type { Records } from "../world/state";
import { parentIdOf } from "../world/world";
import type { World } from "../world/world";
import type { Subject } from "./subject";

/** How much older an invented object is. */
const dayMs = 86_400_000;

/** The response with another object in place of its resource. */
export function describingAnother(response: EmulatorResponse, subject: Subject, world: World): EmulatorResponse {
    const body = JSON.parse(response.body) as Readonly<Record<string, unknown>>;
    return { ...response, body: JSON.stringify(oldestOther(subject, world) ?? invented(body)) };
}

/** The oldest other resource of the same kind in the same parent. */
function oldestOther<K extends Kind>({ kind, record }: { kind: K; record: Records[K] }, world: World): unknown {
    const other = world.within(kind, parentIdOf(kind, record)).find(({ id }) => id !== record.id);
    return other && views[kind](other, world);
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
