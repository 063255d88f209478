import { withDeprecatedAlias } from "../deprecatedAliases";
import { kindFacts } from "../kinds";
import type { Kind, Models, ModelsInParents } from "../kinds";
import type { Wire } from "../wire";
import { shownStatus } from "./accept";
import { listed } from "./find";
import type { Address } from "./servers";
import { dedicatedSizeView, sizeView } from "./sizes";
import type { PeeringRecord, Records, ReplicaSetRecord, ServiceRecord, VpcRecord } from "./state";
import { parentIdOf } from "./world";
import type { World } from "./world";

// Maps records to the models of the contract.

/** A domain for tests, whose names never resolve. */
const domain = "clouddb.test";
const volumeType = "gp3";
const poolerPortOffset = 10_000;
/** Those of a service that is almost idle. */
const metrics: Wire["Metrics"] = { milli_cpu: 20, memory_mb: 400, storage_mb: 64 };

/** The port of a server's connection pooler. */
export const poolerPortOf = (port: number): number => port + poolerPortOffset;

/** The service status that corresponds to each status of a replica set. */
const standbyStatus: Readonly<Record<string, string>> = {
    creating: "CONFIGURING",
    active: "READY",
    resizing: "CONFIGURING",
    deleting: "DELETING",
    error: "UNSTABLE",
};

const isoTime = (at: number): string => new Date(at).toISOString();

export function vpcView({ id, cidr, name, regionCode }: VpcRecord): Wire["Vpc"] {
    return { id, cidr, name, region_code: regionCode };
}

export function peeringView(peering: PeeringRecord): Wire["Peering"] {
    const { provisionedId, errorMessage } = peering.values;
    return {
        id: peering.id,
        peer_account_id: peering.peerAccountId,
        peer_region_code: peering.peerRegionCode,
        peer_vpc_id: peering.peerVpcId,
        status: peering.status,
        ...(provisionedId !== null && { provisioned_id: provisionedId }),
        ...(errorMessage !== null && { error_message: errorMessage }),
    };
}

export function serviceView(
    world: World,
    service: ServiceRecord,
    status: string = shownStatus(service),
    sets: readonly ReplicaSetRecord[] = listed(world, "replicaSets", service.id),
): Wire["Service"] {
    const { size, replicaCount, syncReplicaCount, vpcId } = service.values;
    const host = `${service.id}.${service.projectId}`;
    const vpcEndpoint = vpcId !== null && {
        host: service.host ?? `${host}.vpc.${domain}`,
        port: service.port,
        vpc_id: vpcId,
    };
    return {
        created: isoTime(service.createdAt),
        name: service.name,
        project_id: service.projectId,
        region_code: service.regionCode,
        resources: [{ id: `${service.id}-node`, spec: { ...sizeView(size), volume_type: volumeType } }],
        service_id: service.id,
        service_type: service.kind,
        status,
        ha_replicas: { replica_count: replicaCount, sync_replica_count: syncReplicaCount },
        metadata: { environment: service.environment },
        read_replica_sets: sets.map((set) => replicaSetView(world, set)),
        // A queued service has no address yet.
        ...(service.status !== "QUEUED" && {
            endpoint: { host: service.host ?? `${host}.${domain}`, port: service.port },
        }),
        ...(service.pooler && { connection_pooler: poolerView(service, host) }),
        ...(service.parentId !== null && {
            forked_from: { is_standby: false, project_id: service.projectId, service_id: service.parentId },
        }),
        ...(status === "READY" && { metrics }),
        ...(vpcEndpoint && withDeprecatedAlias("vpc_endpoint", "vpcEndpoint", vpcEndpoint)),
    };
}

export function replicaSetView(world: World, set: ReplicaSetRecord): Wire["ReadReplicaSet"] {
    const host = `${set.id}.${world.services.get(set.serviceId)?.projectId ?? ""}`;
    return {
        id: set.id,
        name: set.name,
        nodes: set.values.nodes,
        ...dedicatedSizeView(set.values),
        status: shownStatus(set),
        metadata: { environment: set.environment },
        endpoint: { host: set.host ?? `${host}.${domain}`, port: set.port },
        ...(set.pooler && { connection_pooler: poolerView(set, host) }),
    };
}

/** The representation of a replica set as a service. */
export function standbyView(world: World, set: ReplicaSetRecord, parent: ServiceRecord): Wire["Service"] {
    const { endpoint, connection_pooler } = replicaSetView(world, set);
    const status = shownStatus(set);
    const { service_type, region_code, project_id } = serviceView(world, parent);
    return {
        created: isoTime(set.createdAt),
        name: set.name,
        project_id,
        region_code,
        resources: Array.from({ length: set.values.nodes }, (_, node) => ({
            id: `${set.id}-node-${node}`,
            spec: { ...sizeView(set.values), volume_type: volumeType },
        })),
        service_id: set.id,
        service_type,
        status: standbyStatus[status] ?? status,
        forked_from: { is_standby: true, project_id, service_id: parent.id },
        metadata: { environment: set.environment },
        ...(endpoint && { endpoint }),
        ...(connection_pooler && { connection_pooler }),
    };
}

/** Maps the records of each kind. A new kind does not compile until it has a view. */
export type Views = { readonly [K in Kind]: (record: Records[K], world: World) => Models[K] };

export const views: Views = {
    vpcs: vpcView,
    peerings: peeringView,
    services: (service, world) => serviceView(world, service),
    replicaSets: (set, world) => replicaSetView(world, set),
};

/** The model of a resource with the id of its parent. */
export function viewInParent<K extends Kind>(
    world: World,
    kind: K,
    record: Records[K],
    by = views,
): ModelsInParents[K] {
    const parentId = { [`${kindFacts[kind].parent}_id`]: parentIdOf(kind, record) };
    return { ...by[kind](record, world), ...parentId } as ModelsInParents[K];
}

const poolerView = ({ host, port }: Address, name: string): Wire["ConnectionPooler"] => ({
    endpoint: { host: host ?? `${name}.pooler.${domain}`, port: poolerPortOf(port) },
});
