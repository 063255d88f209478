import { notFound } from "../errors";
import type { PeeringRecord, ReplicaSetRecord, ServiceRecord, VpcRecord } from "./state";
import type { World } from "./world";

// Finds the resources that a request names. A resource that is not visible yet is not found.

/** Whether lists contain the resource. It becomes visible to reads first. */
export const isListed = (
    { now, rules }: World,
    { createdAt, visibleAt }: { createdAt: number; visibleAt: number },
): boolean => visibleAt <= now && createdAt + rules.durations.notListedAfterCreate <= now;

export function findVpc(world: World, projectId: string, id: string): VpcRecord {
    const vpc = world.vpcs.get(id);
    if (vpc?.projectId !== projectId || vpc.visibleAt > world.now) {
        throw notFound(`There is no VPC ${id} in project ${projectId}.`);
    }
    return vpc;
}

export function findPeering(world: World, projectId: string, vpcId: string, id: string): PeeringRecord {
    const vpc = findVpc(world, projectId, vpcId);
    const peering = world.peerings.get(id);
    if (peering?.vpcId !== vpc.id || peering.visibleAt > world.now) {
        throw notFound(`There is no peering ${id} in VPC ${vpcId}.`);
    }
    return peering;
}

/** Finds a service. Rejects the id of a replica set with a hint. */
export function findService(world: World, projectId: string, id: string): ServiceRecord {
    const service = world.services.get(id);
    if (service?.projectId === projectId && service.visibleAt <= world.now) {
        return service;
    }
    const parent = findStandby(world, projectId, id)?.parent;
    throw notFound(
        parent
            ? `${id} is a read replica set of service ${parent.id}. This operation requires the id of a service.`
            : `There is no service ${id} in project ${projectId}.`,
    );
}

/** Finds a replica set and its service by the id of the set. */
export function findStandby(
    world: World,
    projectId: string,
    id: string,
): { set: ReplicaSetRecord; parent: ServiceRecord } | undefined {
    const set = world.replicaSets.get(id);
    const parent = set && world.services.get(set.serviceId);
    if (!set || parent?.projectId !== projectId || set.visibleAt > world.now) {
        return undefined;
    }
    return { set, parent };
}

export function findReplicaSet(
    world: World,
    projectId: string,
    serviceId: string,
    id: string,
): { set: ReplicaSetRecord; parent: ServiceRecord } {
    findService(world, projectId, serviceId);
    const found = findStandby(world, projectId, id);
    if (found?.parent.id !== serviceId) {
        throw notFound(`There is no read replica set ${id} of service ${serviceId}.`);
    }
    return found;
}
