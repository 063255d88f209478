import type { Kind } from "../kinds";
import type { EmulatorResponse } from "../pipeline";
import { peeringView, replicaSetView, serviceView, vpcView } from "../world/views";
import type { Records } from "../world/state";
import type { World } from "../world/world";
import type { Subject } from "./subject";

/** How much older an invented object is. */
const dayMs = 86_400_000;

/** The response with another object in place of its resource. */
export function describingAnother(response: EmulatorResponse, subject: Subject, world: World): EmulatorResponse {
    const body = JSON.parse(response.body) as Readonly<Record<string, unknown>>;
    return { ...response, body: JSON.stringify(oldestOther(subject, world) ?? invented(body)) };
}

/** Where a resource is, and its model in a response. */
const kindsOfObjects: {
    readonly [K in Kind]: [place: (r: Records[K]) => string, view: (r: Records[K], world: World) => unknown];
} = {
    vpcs: [({ projectId }) => projectId, vpcView],
    peerings: [({ vpcId }) => vpcId, peeringView],
    services: [({ projectId }) => projectId, (service, world) => serviceView(world, service)],
    replicaSets: [
        ({ serviceId }) => serviceId,
        (set, world) => {
            const parent = world.services.get(set.serviceId);
            return parent && replicaSetView(set, parent);
        },
    ],
};

/** The oldest other resource of the same kind in the same place. */
function oldestOther<K extends Kind>({ kind, record }: { kind: K; record: Records[K] }, world: World): unknown {
    const [placeOf, viewOf] = kindsOfObjects[kind];
    const other = [...world.records(kind).values()].find(
        (one) => one.id !== record.id && placeOf(one) === placeOf(record),
    );
    return other && viewOf(other, world);
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
