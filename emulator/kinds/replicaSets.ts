import { amount, count, deletion, environmentTag, modification, statusOverride } from "../control";
import { conflict } from "../errors";
import { flag, text, type ValuesOf } from "../schema";
import type { Wire } from "../wire";
import { must, shownStatus } from "../world/accept";
import { endpointsOf } from "../world/endpoints";
import { found, listed, visible, type Addressing } from "../world/find";
import { newId } from "../world/ids";
import type { Kind } from "../world/kind";
import { setStatus } from "../world/progress";
import { environment, handlersOf, pooler, type Settings } from "../world/settings";
import { checkNodes, checkSize, dedicatedSizeView, nodesView, parseDedicatedSize } from "../world/sizes";
import type { ReplicaSetRecord, ServiceRecord } from "../world/state";
import type { World } from "../world/world";
import type { Definition } from "./definition";
import { getService, listServices, running, services } from "./services";

export const replicaSets: Kind<ReplicaSetRecord, "replicaSets", "service"> = {
    name: "replicaSets",
    noun: "read replica set",
    parent: "service",
    listed: { as: "read_replica_sets", view: (set, service) => viewIn(service as ServiceRecord, set) },
};

type Status = Wire["KnownReplicaSetStatus"];

const active: readonly Status[] = ["active"];
const settled: readonly Status[] = ["active", "error"];

const durations = {
    /** The duration of `createReplicaSet`. */
    replicaSetCreate: 3_000,
    /** The duration of `resizeReplicaSet`. */
    replicaSetResize: 2_000,
    /** The duration of `deleteReplicaSet`. */
    replicaSetDelete: 1_000,
};

const viewIn = (service: ServiceRecord, set: ReplicaSetRecord): Wire["ReadReplicaSet"] => ({
    ...set.properties,
    id: set.id,
    name: set.name,
    nodes: set.values.nodes,
    ...dedicatedSizeView(set.values),
    status: shownStatus(set),
    metadata: { environment: set.environment },
    ...endpointsOf(set, service),
});

function view(set: ReplicaSetRecord, world: World): Wire["ReadReplicaSet"] {
    const service = world.records(services).get(set.serviceId);
    if (!service) {
        throw new Error(`Read replica set ${set.id} has no service.`);
    }
    return viewIn(service, set);
}

/** The service status that corresponds to each status of a replica set. */
const statusAsService: Readonly<Record<string, string>> = {
    creating: "CONFIGURING",
    active: "READY",
    resizing: "CONFIGURING",
    deleting: "DELETING",
    error: "UNSTABLE",
} satisfies Record<Status, Wire["KnownServiceStatus"]>;

/** The representation of a replica set as a service. */
function viewAsService(set: ReplicaSetRecord, parent: ServiceRecord): Wire["Service"] {
    const { endpoint, connection_pooler, status } = viewIn(parent, set);
    return {
        created: new Date(set.createdAt).toISOString(),
        name: set.name,
        project_id: parent.projectId,
        region_code: parent.regionCode,
        resources: nodesView(set.id, set.values, set.values.nodes),
        service_id: set.id,
        service_type: parent.kind,
        status: statusAsService[status] ?? status,
        forked_from: { is_standby: true, project_id: parent.projectId, service_id: parent.id },
        metadata: { environment: set.environment },
        ...(endpoint && { endpoint }),
        ...(connection_pooler && { connection_pooler }),
    };
}

/** The replica set whose id a request has in place of that of a service. */
function standbyOf({ world, params }: Addressing): { set: ReplicaSetRecord; parent: ServiceRecord } | undefined {
    const { project_id: projectId = "", service_id: id = "" } = params as Readonly<Record<string, string>>;
    const parent = world.records(services).get(world.records(replicaSets).get(id)?.serviceId ?? "");
    const set = parent?.projectId === projectId ? visible(world, replicaSets, parent.id, id) : undefined;
    return parent && set && { set, parent };
}

const settings = {
    /** Without a node count in the request, the current one stays. */
    resizeReplicaSet: {
        takes: active,
        set: (call, { values }) => {
            const { body } = call;
            const nodes = checkNodes(body.nodes ?? values.nodes);
            const size = parseDedicatedSize(call.world.rules, body, values);
            const service = found(services, call);
            if (shownStatus(service) === "PAUSED") {
                throw conflict(`Service ${service.id} is PAUSED. Start it to resize its read replica sets.`);
            }
            return { nodes, ...size };
        },
        through: "resizing",
        lasts: (world) => world.durations(durations).replicaSetResize,
        answer: ({ id }) => ({ message: `Read replica set ${id} is being resized.` }),
    },
    enableReplicaSetPooler: pooler(true, active),
    disableReplicaSetPooler: pooler(false, active),
    setReplicaSetEnvironment: environment(settled),
} satisfies Settings<ReplicaSetRecord, Wire["ReadReplicaSet"], Status>;

const patch = {
    name: text,
    environment: environmentTag,
    nodes: count,
    cpuMillis: amount,
    memoryGbs: amount,
    pooler: flag,
};

/** The properties of a read replica set that `updateReplicaSet` can change. */
export type ReplicaSetPatch = ValuesOf<typeof patch>;

export const replicaSetDefinition = {
    kind: replicaSets,
    view,
    titleOf: ({ name }) => name,
    operations: {
        createReplicaSet: (call) => {
            const { body, params, world } = call;
            if (standbyOf(call)) {
                throw conflict(
                    `${params.service_id} is a read replica set. Use the id of a service to create a read replica set.`,
                );
            }
            const { now, random, rules } = world;
            const service = found(services, call);
            const values = { nodes: checkNodes(body.nodes), ...checkSize(rules, body) };
            must(services, service, "createReplicaSet", running);
            if (service.backupAt > now) {
                throw conflict(
                    `Service ${service.id} is a new fork and has no backup yet, so it rejects a new read replica set. Try again later.`,
                );
            }
            const set: ReplicaSetRecord = {
                id: newId(random, world.isTaken, rules),
                serviceId: service.id,
                name: body.name,
                ...world.newTimes(),
                status: "creating",
                values,
                steps: [{ at: now + world.durations(durations).replicaSetCreate, status: "active" }],
                environment: service.environment,
                pooler: false,
                ...rules.servers.newAddress(random),
                override: null,
            };
            world.add(replicaSets, set);
            return viewIn(service, set);
        },
        ...handlersOf(replicaSets, settings),
        listReplicaSets: (call) => {
            const service = found(services, call);
            return listed(call.world, replicaSets, service.id).map((set) => viewIn(service, set));
        },
        deleteReplicaSet: (call) => {
            const { world } = call;
            const set = found(replicaSets, call);
            must(replicaSets, set, "deleteReplicaSet", settled);
            set.override = null;
            setStatus(set, "deleting", world.now);
            set.steps = [{ at: world.now + world.durations(durations).replicaSetDelete, status: null }];
        },
        listServices: (call) => {
            const { params, world } = call;
            const parents = world.rules.listsStandbys ? listed(world, services, params.project_id) : [];
            const standbys = parents.flatMap((one) =>
                listed(world, replicaSets, one.id).map((set) => viewAsService(set, one)),
            );
            return [...listServices(call), ...standbys];
        },
        getService: (call) => {
            const standby = standbyOf(call);
            return standby ? viewAsService(standby.set, standby.parent) : getService(call);
        },
    },
    durations,
    controls: {
        /** Overrides the status of the read replica set, for `forMs` milliseconds or until this is called without a status. */
        setReplicaSetStatus: statusOverride(replicaSets, "KnownReplicaSetStatus"),
        /** Changes the read replica set immediately, without a change of its status. */
        updateReplicaSet: modification(replicaSets, patch),
        /** Deletes the read replica set immediately. */
        deleteReplicaSet: deletion(replicaSets),
    },
    settings,
} satisfies Definition<ReplicaSetRecord, Wire["ReadReplicaSet"]>;
