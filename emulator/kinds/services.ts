import { control, count, deletion, environmentTag, modification, size, statusOverride } from "../control";
import { withDeprecatedAlias, type OperationId, type Wire } from "../wire";
import { conflict, invalid } from "../errors";
import { definedOf, flag, integer, needed, nullable, secret, text, type ValuesOf } from "../schema";
import { must, mustBeUnused, shownStatus } from "../world/accept";
import { endpointOf, endpointsOf } from "../world/endpoints";
import { findAny, found, listed, listsIn, type Addressing } from "../world/find";
import type { Handler } from "../world/handler";
import { newId, newPassword } from "../world/ids";
import type { Kind } from "../world/kind";
import { logPage } from "../world/logPages";
import { fillLog, recordStatus } from "../world/logs";
import { passwordMatches, scramVerifier } from "../world/password";
import { setStatus } from "../world/progress";
import { maxNameLength, minPasswordLength } from "../world/rules";
import { environment, handlersOf, pooler, type Settings } from "../world/settings";
import { checkRegion, checkReplicas, defaultSize, nodesView, parseSize, requested } from "../world/sizes";
import type { ServiceKind, ServiceRecord } from "../world/state";
import { usageOf } from "../world/usage";
import type { World } from "../world/world";
import type { Definition } from "./definition";
import { vpcs } from "./vpcs";

export const services: Kind<ServiceRecord, "services", "project"> = {
    name: "services",
    noun: "service",
    parent: "project",
    attached: {
        to: vpcs.name,
        idsOf: ({ steps, values }) => [values.vpcId, ...steps.map(({ set }) => set?.vpcId)],
        detach: ({ values }, id) => {
            values.vpcId = values.vpcId === id ? null : values.vpcId;
        },
    },
};

type Status = Wire["KnownServiceStatus"];

export const running: readonly Status[] = ["READY"];
const atRest: readonly Status[] = ["READY", "PAUSED"];
const settled: readonly Status[] = [...atRest, "UNSTABLE"];

const durations = {
    /** The time that a new service or fork stays `QUEUED`. */
    queued: 1_000,
    /** The time that a new service stays `CONFIGURING`. */
    create: 3_000,
    /** The time that a new fork stays `CONFIGURING`. */
    fork: 4_000,
    /** The duration of `resizeService`. */
    resize: 2_000,
    /** The duration of `setHA`. */
    setHA: 2_000,
    /** The duration of `attachToVPC` and of `detachFromVPC`. */
    vpcChange: 1_500,
    /** The duration of `stopService`. */
    stop: 1_500,
    /** The duration of `startService`. */
    start: 1_500,
    /** The duration of `deleteService`. */
    delete: 1_500,
    /** The time until a ready fork has its first backup. Until then, it rejects read replica sets. */
    firstBackup: 2_000,
};

const lasts = (name: keyof typeof durations) => (world: World) => world.durations(durations)[name];

export function serviceView(
    service: ServiceRecord,
    { now }: Pick<World, "now">,
    status = shownStatus(service),
): Wire["Service"] {
    const { size, replicaCount, syncReplicaCount, vpcId } = service.values;
    const { endpoint, ...pooler } = endpointsOf(service, service);
    const vpcEndpoint = vpcId !== null && {
        ...endpointOf(service, `${service.id}.${service.projectId}.vpc`),
        vpc_id: vpcId,
    };
    return {
        ...service.properties,
        created: new Date(service.createdAt).toISOString(),
        name: service.name,
        project_id: service.projectId,
        region_code: service.regionCode,
        resources: nodesView(service.id, size),
        service_id: service.id,
        service_type: service.kind,
        status,
        ha_replicas: { replica_count: replicaCount, sync_replica_count: syncReplicaCount },
        metadata: { environment: service.environment },
        // A queued service has no address yet.
        ...(service.status !== "QUEUED" && { endpoint }),
        ...pooler,
        ...(service.parentId !== null && {
            forked_from: { is_standby: false, project_id: service.projectId, service_id: service.parentId },
        }),
        ...(status === "READY" && { metrics: usageOf(service, now) }),
        ...(vpcEndpoint && withDeprecatedAlias("vpc_endpoint", "vpcEndpoint", vpcEndpoint)),
    };
}

/** The complete model of a service. */
const modelOf = (service: ServiceRecord, { world }: { world: World }, status?: string): Wire["Service"] => ({
    ...serviceView(service, world, status),
    ...listsIn(world, services, service),
});

/** The status of a service that changes. */
const through = "CONFIGURING";

/** The model of a service that begins to change. */
const changing: typeof modelOf = (service, call) => modelOf(service, call, through);

const settings = {
    resizeService: {
        takes: running,
        set: ({ body, world }, { values }) => ({ size: parseSize(world.rules, body, values.size) }),
        through,
        lasts: lasts("resize"),
        answer: changing,
    },
    /** A count that is not in the request stays unchanged. */
    setHA: {
        takes: running,
        set: ({ body, world }, { values }) => {
            const { replica_count: replicaCount = values.replicaCount } = body;
            const { sync_replica_count: syncReplicaCount = values.syncReplicaCount } = body;
            checkReplicas(world.rules, replicaCount, syncReplicaCount);
            return { replicaCount, syncReplicaCount };
        },
        through,
        lasts: lasts("setHA"),
        answer: changing,
    },
    /** Rejects a second attachment, also to the VPC that the service is already attached to. */
    attachToVPC: {
        takes: running,
        set: ({ body, params, world }, { id, regionCode }) => {
            const vpc = found(vpcs, { world, params: { ...params, ...body } });
            if (vpc.regionCode !== regionCode) {
                // 400 instead of 409, because a retry cannot succeed.
                throw invalid(
                    `VPC ${vpc.id} is in ${vpc.regionCode} and service ${id} is in ${regionCode}. Both must be in the same region.`,
                );
            }
            return { vpcId: vpc.id };
        },
        refuse: ({ body }, { id, values: { vpcId } }) => {
            if (vpcId !== null) {
                const isSame = vpcId === body.vpc_id;
                throw conflict(
                    `Service ${id} is ${isSame ? "already " : ""}attached to VPC ${vpcId}.${isSame ? "" : " Detach it first."}`,
                );
            }
        },
        through,
        lasts: lasts("vpcChange"),
        answer: ({ id }, { body }) => ({ message: `Service ${id} is being attached to VPC ${body.vpc_id}.` }),
    },
    detachFromVPC: {
        takes: atRest,
        set: () => ({ vpcId: null }),
        refuse: ({ body }, { id, values: { vpcId } }) => {
            if (vpcId !== body.vpc_id) {
                throw conflict(
                    `Service ${id} is not attached to VPC ${body.vpc_id}. ` +
                        (vpcId ? `It is attached to VPC ${vpcId}.` : "It is not attached to any VPC."),
                );
            }
        },
        through,
        lasts: lasts("vpcChange"),
        answer: ({ id }, { body }) => ({ message: `Service ${id} is being detached from VPC ${body.vpc_id}.` }),
    },
    enablePooler: pooler(true, atRest),
    disablePooler: pooler(false, atRest),
    setEnvironment: environment(settled),
    /** Names do not have to be unique. */
    renameService: {
        takes: settled,
        set: ({ body: { name } }) => ({ name }),
        answer: (service, call) => modelOf(service, call),
    },
    updatePassword: {
        takes: atRest,
        set: ({ body: { password }, world }) => {
            if (world.rules.limitsApply && password.length < minPasswordLength) {
                throw invalid(`password must have at least ${minPasswordLength} characters.`);
            }
            return { password: { scram: scramVerifier(password) } };
        },
        answer: () => undefined,
    },
} satisfies Settings<ServiceRecord, Wire["Service"], Status>;

export const getService: Handler<"getService"> = (call) => modelOf(found(services, call), call);

export const listServices: Handler<"listServices"> = ({ world, params }) =>
    listed(world, services, params.project_id).map((service) => modelOf(service, { world }));

/** The handler of an operation that changes the status immediately, and again after the duration. */
const passing =
    (id: OperationId, takes: readonly string[], status: string, to: string | null, duration: keyof typeof durations) =>
    (call: Addressing): Wire["Service"] => {
        const { world } = call;
        const service = found(services, call);
        must(services, service, id, takes);
        setStatus(service, status, world.now);
        recordStatus(service, status, world.now);
        service.steps = [{ at: world.now + lasts(duration)(world), status: to }];
        return modelOf(service, call, status);
    };

const patch = {
    name: text,
    environment: environmentTag,
    size,
    replicaCount: count,
    syncReplicaCount: count,
    vpcId: nullable(text),
    pooler: flag,
};

/** The properties of a service that `updateService` can change. */
export type ServicePatch = ValuesOf<typeof patch>;

/** The maximum number of lines that `fillLogs` adds to the log of a service. It then drops the oldest ones. */
const maxLogLines = 100_000;

export const serviceDefinition = {
    kind: services,
    view: serviceView,
    titleOf: ({ name }) => name,
    operations: {
        createService: ({ world, params, body }) => {
            const { rules } = world;
            const replicaCount = body.replica_count ?? 0;
            checkReplicas(rules, replicaCount, 0);
            return addService(world, "create", {
                projectId: params.project_id,
                name: body.name,
                kind: kindOf(body.addons ?? []),
                regionCode: checkRegion(rules, body.region_code ?? rules.regions[0] ?? ""),
                environment: body.environment_tag ?? "DEV",
                parentId: null,
                values: { size: parseSize(rules, body, defaultSize), replicaCount, syncReplicaCount: 0, vpcId: null },
                backupAt: world.now,
            });
        },
        /** A fork has the type and region of its parent, but no replicas, VPC or pooler. */
        forkService: (call) => {
            const { world, body } = call;
            const parent = found(services, call);
            const { fork, firstBackup, queued } = world.durations(durations);
            const forkPoint = forkPointOf(world, parent, body);
            const { size: before } = parent.values;
            const size = parseSize(world.rules, { ...requested(before), ...definedOf(body) }, before);
            must(services, parent, "forkService", running);
            const { kind, name, projectId, regionCode } = parent;
            return addService(world, "fork", {
                projectId,
                kind,
                regionCode,
                parentId: parent.id,
                forkPoint,
                name: body.name ?? `${name}-fork`.slice(-maxNameLength),
                environment: body.environment_tag ?? "DEV",
                values: { size, replicaCount: 0, syncReplicaCount: 0, vpcId: null },
                backupAt: world.now + queued + fork + firstBackup,
            });
        },
        ...handlersOf(services, settings),
        getServiceLogs: (call) => logPage(call.world, found(services, call), call.query),
        stopService: passing("stopService", running, "PAUSING", "PAUSED", "stop"),
        startService: passing("startService", ["PAUSED"], "RESUMING", "READY", "start"),
        deleteService: (call) => {
            const service = found(services, call);
            mustBeUnused(call.world, services, service);
            passing("deleteService", settled, "DELETING", null, "delete")(call);
            service.override = null;
        },
    },
    durations,
    controls: {
        /** Overrides the status of the service, for `forMs` milliseconds or until this is called without a status. */
        setServiceStatus: statusOverride(services, "KnownServiceStatus"),
        /** Changes the service immediately, without a change of its status. */
        updateService: modification(services, patch),
        /** Deletes the service and its read replica sets immediately. */
        deleteService: deletion(services),
        /** Takes a snapshot of the service for forks with the strategy `LAST_SNAPSHOT`. The emulator also takes one every hour. */
        takeSnapshot: control("POST /services/*/snapshot", {}, ({ world }, serviceId: string) => {
            // Data that was written in this millisecond belongs to the snapshot.
            findAny(world, services, serviceId).snapshotAt = world.now + 1;
        }),
        /** Returns whether this is the current password of the service. Over HTTP, the response is `{ "matches": true }` or `{ "matches": false }`. */
        passwordMatches: control(
            "POST /services/*/password",
            { password: needed(secret(text)) },
            ({ world }, serviceId: string, password: string) =>
                passwordMatches(findAny(world, services, serviceId).password, password),
            { response: (matches) => ({ matches }) },
        ),
        /** Adds this number of lines to the log of a service, with the current time. */
        fillLogs: control(
            "POST /services/*/logs",
            { lines: needed(integer(0, maxLogLines)) },
            ({ world }, serviceId: string, lines: number) =>
                fillLog(findAny(world, services, serviceId), lines, world.now, maxLogLines),
        ),
    },
    settings,
} satisfies Definition<ServiceRecord, Wire["Service"]>;

type Declared = Pick<
    ServiceRecord,
    "projectId" | "name" | "kind" | "regionCode" | "environment" | "parentId" | "values" | "backupAt"
> &
    Pick<Partial<ServiceRecord>, "forkPoint">;

/** Adds a service. Only this response contains its initial password. */
function addService(world: World, request: "create" | "fork", declared: Declared): Wire["Service"] {
    const { now, random, rules } = world;
    const { queued, [request]: configuring } = world.durations(durations);
    const initialPassword = newPassword(random);
    const service: ServiceRecord = {
        ...declared,
        id: newId(random, world.isTaken, world.rules),
        ...world.newTimes(),
        status: "QUEUED",
        steps: [
            { at: now + queued, status: through },
            { at: now + queued + configuring, status: "READY" },
        ],
        pooler: false,
        ...rules.servers.newAddress(random),
        ...(rules.movingEndpoints && { movingEndpoints: true }),
        password: { scram: scramVerifier(initialPassword) },
        override: null,
        log: [],
    };
    recordStatus(service, "QUEUED", now);
    world.add(services, service);
    world.initialPasswords.set(service.id, initialPassword);
    return { ...modelOf(service, { world }), initial_password: initialPassword };
}

function kindOf(addons: readonly Wire["Addon"][]): ServiceKind {
    if (addons.includes("time-series")) {
        return "TIMESERIESDB";
    }
    return addons.includes("ai") ? "VECTOR" : "POSTGRES";
}

const snapshotIntervalMs = 3_600_000;

/** The emulator takes a snapshot every hour after the creation, and on request. */
function lastSnapshot({ createdAt, snapshotAt = createdAt, restorableFrom = createdAt }: ServiceRecord, now: number) {
    const hourly = now - ((now - createdAt) % snapshotIntervalMs);
    return Math.max(hourly, snapshotAt, restorableFrom);
}

/** The time of the data in a fork. Null: now. */
function forkPointOf(
    { now }: World,
    parent: ServiceRecord,
    { fork_strategy, target_time }: Wire["ForkServiceInput"],
): number | null {
    if (fork_strategy !== "PITR") {
        if (target_time !== undefined) {
            throw invalid(`target_time requires fork_strategy PITR, not ${fork_strategy}.`);
        }
        return fork_strategy === "NOW" ? null : lastSnapshot(parent, now);
    }
    if (target_time === undefined) {
        throw invalid("target_time is required with fork_strategy PITR.");
    }
    const target = Date.parse(target_time);
    const earliest = parent.restorableFrom ?? parent.createdAt;
    if (target < earliest || target > now) {
        const [from, to] = [earliest, now].map((at) => new Date(at).toISOString());
        throw invalid(
            `target_time ${target_time} is out of range. Service ${parent.id} can be restored to a time from ${from} to ${to}.`,
        );
    }
    return target;
}
