import { notFound } from "../errors";
import { kindFacts, kinds } from "../kinds";
import type { Kind } from "../kinds";
import type { PeeringRecord, Records, ReplicaSetRecord, ServiceRecord, VpcRecord } from "./state";
import { parentIdOf } from "./world";
import type { World } from "./world";

/** The resources of a kind that a list of their parent contains. A resource becomes visible to reads first. */
export const listed = <K extends Kind>(world: World, kind: K, parentId: string): Records[K][] =>
    world
        .within(kind, parentId)
        .filter(({ visibleAt, listedAt = visibleAt }) => visibleAt <= world.now && listedAt <= world.now);

/** Finds a resource for a control or the page, even if it is not visible to reads yet. */
export function findAny<K extends Kind>(world: World, kind: K, id: string): Records[K] {
    world.catchUp();
    return world.records(kind).get(id) ?? missing(kind, id, "in the emulator");
}

/** A resource of any kind. */
export type Subject = { [K in Kind]: { kind: K; record: Records[K] } }[Kind];

const named = new RegExp(`/(${kinds.join("|")})/([^/]+)`, "g");

/** The resource that the path of a request names. A path can contain the ids of two kinds. The contained resource comes last. */
export function addressed(world: World, path: string): Subject | undefined {
    const [withoutQuery = ""] = path.split("?");
    const [, kind, id = ""] = [...withoutQuery.matchAll(named)].at(-1) ?? [];
    const record = kind && world.records(kind as Kind).get(id);
    return record ? ({ kind, record } as Subject) : undefined;
}

// Finds the resources that a request names. A resource that is not visible yet is not found.

export const findVpc = (world: World, projectId: string, id: string): VpcRecord =>
    visible(world, "vpcs", projectId, id) ?? missing("vpcs", id, `in project ${projectId}`);

export function findPeering(world: World, projectId: string, vpcId: string, id: string): PeeringRecord {
    const vpc = findVpc(world, projectId, vpcId);
    return visible(world, "peerings", vpc.id, id) ?? missing("peerings", id, `in VPC ${vpcId}`);
}

/** Finds a service. Rejects the id of a replica set with a hint. */
export function findService(world: World, projectId: string, id: string): ServiceRecord {
    const service = visible(world, "services", projectId, id);
    if (service) {
        return service;
    }
    const parent = findStandby(world, projectId, id)?.parent;
    if (parent) {
        throw notFound(
            `${id} is a read replica set of service ${parent.id}. This operation requires the id of a service.`,
        );
    }
    return missing("services", id, `in project ${projectId}`);
}

/** A replica set and its service. */
export interface Standby {
    set: ReplicaSetRecord;
    parent: ServiceRecord;
}

/** Finds a replica set by its id alone. */
export function findStandby(world: World, projectId: string, id: string): Standby | undefined {
    const parent = world.services.get(world.replicaSets.get(id)?.serviceId ?? "");
    const set = parent?.projectId === projectId ? visible(world, "replicaSets", parent.id, id) : undefined;
    return parent && set && { set, parent };
}

export function findReplicaSet(world: World, projectId: string, serviceId: string, id: string): Standby {
    const parent = findService(world, projectId, serviceId);
    const set = visible(world, "replicaSets", serviceId, id);
    return { parent, set: set ?? missing("replicaSets", id, `of service ${serviceId}`) };
}

function visible<K extends Kind>(world: World, kind: K, parentId: string, id: string): Records[K] | undefined {
    const record = world.records(kind).get(id);
    return record && parentIdOf(kind, record) === parentId && record.visibleAt <= world.now ? record : undefined;
}

function missing(kind: Kind, id: string, place: string): never {
    throw notFound(`There is no ${kindFacts[kind].noun} ${id} ${place}.`);
}
