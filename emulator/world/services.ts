import { conflict, invalid } from "../errors";
import type { Wire } from "../wire";
import { serviceMust } from "./accept";
import { findService, findStandby, findVpc, listed } from "./find";
import type { Call, Handlers } from "./handler";
import { newId, newPassword } from "./ids";
import { logPage } from "./logPages";
import { recordStatus } from "./logs";
import { setStatus } from "./progress";
import { maxNameLength, minPasswordLength } from "./rules";
import { checkRegion, checkReplicas, defaultSize, parseSize } from "./sizes";
import type { ServiceKind, ServiceRecord, ServiceValues } from "./state";
import { serviceView, standbyView } from "./views";
import type { World } from "./world";

export const serviceHandlers = {
    listServices: ({ world, params }) =>
        listed(world, "services", params.project_id).map((service) => serviceView(world, service)),
    getService: ({ world, params }) => {
        const standby = findStandby(world, params.project_id, params.service_id);
        if (standby) {
            return standbyView(world, standby.set, standby.parent);
        }
        return serviceView(world, findService(world, params.project_id, params.service_id));
    },
    getServiceLogs: (call) => logPage(call.world, serviceOf(call), call.query),

    createService: ({ world, params, body }) => {
        const { rules } = world;
        const replicaCount = body.replica_count ?? 0;
        checkReplicas(replicaCount, 0);
        return addService(world, rules.durations.create, {
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
        const parent = serviceOf(call);
        const { fork, firstBackup, queued } = world.rules.durations;
        const forkPoint = forkPointOf(world, parent, body);
        const size = parseSize(world.rules, body, parent.values.size);
        serviceMust(parent, "fork");
        const { kind, missingExtension, name, projectId, regionCode } = parent;
        return addService(world, fork, {
            projectId,
            kind,
            regionCode,
            parentId: parent.id,
            forkPoint,
            name: body.name ?? `${name}-fork`.slice(-maxNameLength),
            environment: body.environment_tag ?? "DEV",
            values: { size, replicaCount: 0, syncReplicaCount: 0, vpcId: null },
            backupAt: world.now + queued + fork + firstBackup,
            ...(missingExtension !== undefined && { missingExtension }),
        });
    },
    stopService: (call) => {
        const service = serviceOf(call);
        serviceMust(service, "stop");
        return pass(call.world, service, "PAUSING", "PAUSED", call.world.rules.durations.stop);
    },
    startService: (call) => {
        const service = serviceOf(call);
        serviceMust(service, "start");
        return pass(call.world, service, "RESUMING", "READY", call.world.rules.durations.start);
    },
    deleteService: (call) => {
        const service = serviceOf(call);
        const sets = call.world.within("replicaSets", service.id);
        if (sets.length > 0) {
            const ids = sets.map(({ id }) => id).join(", ");
            throw conflict(`Service ${service.id} still has read replica sets (${ids}). Delete them first.`);
        }
        serviceMust(service, "delete");
        service.override = null;
        pass(call.world, service, "DELETING", null, call.world.rules.durations.delete);
    },

    resizeService: (call) => {
        const { rules } = call.world;
        const service = serviceOf(call);
        const size = parseSize(rules, call.body, service.values.size);
        serviceMust(service, "resize");
        return change(call.world, service, { size }, rules.durations.resize);
    },
    /** A count that is not in the request stays unchanged. */
    setHA: (call) => {
        const service = serviceOf(call);
        const replicaCount = call.body.replica_count ?? service.values.replicaCount;
        const syncReplicaCount = call.body.sync_replica_count ?? service.values.syncReplicaCount;
        checkReplicas(replicaCount, syncReplicaCount);
        serviceMust(service, "setHA");
        return change(call.world, service, { replicaCount, syncReplicaCount }, call.world.rules.durations.setHA);
    },
    /** Rejects a second attachment, also to the VPC that the service is already attached to. */
    attachToVPC: (call) => {
        const service = serviceOf(call);
        const vpc = findVpc(call.world, service.projectId, call.body.vpc_id);
        if (vpc.regionCode !== service.regionCode) {
            // 400 instead of 409, because a retry cannot succeed.
            throw invalid(
                `VPC ${vpc.id} is in ${vpc.regionCode} and service ${service.id} is in ${service.regionCode}. Both must be in the same region.`,
            );
        }
        serviceMust(service, "attachToVPC");
        const attachedTo = service.values.vpcId;
        if (attachedTo === vpc.id) {
            throw conflict(`Service ${service.id} is already attached to VPC ${vpc.id}.`);
        }
        if (attachedTo !== null) {
            throw conflict(`Service ${service.id} is attached to VPC ${attachedTo}. Detach it first.`);
        }
        change(call.world, service, { vpcId: vpc.id }, call.world.rules.durations.vpcChange);
        return { message: `Service ${service.id} is being attached to VPC ${vpc.id}.` };
    },
    detachFromVPC: (call) => {
        const service = serviceOf(call);
        const { vpc_id: vpcId } = call.body;
        serviceMust(service, "detachFromVPC");
        const attachedTo = service.values.vpcId;
        if (attachedTo !== vpcId) {
            throw conflict(
                `Service ${service.id} is not attached to VPC ${vpcId}. ` +
                    (attachedTo ? `It is attached to VPC ${attachedTo}.` : "It is not attached to any VPC."),
            );
        }
        change(call.world, service, { vpcId: null }, call.world.rules.durations.vpcChange);
        return { message: `Service ${service.id} is being detached from VPC ${vpcId}.` };
    },

    enablePooler: (call) => setPooler(serviceOf(call), true),
    disablePooler: (call) => setPooler(serviceOf(call), false),
    setEnvironment: (call) => {
        const service = serviceOf(call);
        serviceMust(service, "another environment");
        service.environment = call.body.environment;
        return { message: `The environment is ${service.environment}.` };
    },
    /** Takes effect immediately. Names do not have to be unique. */
    renameService: (call) => {
        const service = serviceOf(call);
        serviceMust(service, "another name");
        service.name = call.body.name;
        return serviceView(call.world, service);
    },
    updatePassword: (call) => {
        updatePassword(call.world, serviceOf(call), call.body.password);
    },
} satisfies Partial<Handlers>;

const serviceOf = ({ world, params }: Pick<Call<"getService">, "params" | "world">): ServiceRecord =>
    findService(world, params.project_id, params.service_id);

type Declared = Pick<
    ServiceRecord,
    "projectId" | "name" | "kind" | "regionCode" | "environment" | "parentId" | "values" | "backupAt"
> &
    Pick<Partial<ServiceRecord>, "forkPoint" | "missingExtension">;

/** Adds a service. Only this response contains its initial password. */
function addService(world: World, configuring: number, declared: Declared): Wire["Service"] {
    const { now, random, rules } = world;
    const initialPassword = newPassword(random);
    const begins = now + rules.durations.queued;
    const service: ServiceRecord = {
        ...declared,
        id: newId(random, world.isTaken),
        ...world.newTimes(),
        status: "QUEUED",
        steps: [
            { at: begins, status: "CONFIGURING" },
            { at: begins + configuring, status: "READY" },
        ],
        pooler: false,
        ...rules.servers.newAddress(random),
        password: rules.servers.hashPassword(initialPassword),
        override: null,
        log: [],
    };
    recordStatus(service, "QUEUED", now);
    world.add("services", service);
    world.initialPasswords.set(service.id, initialPassword);
    return { ...serviceView(world, service), initial_password: initialPassword };
}

function setPooler(service: ServiceRecord, enabled: boolean): { message: string } {
    serviceMust(service, "a change of its connection pooler");
    service.pooler = enabled;
    return { message: `The connection pooler is ${enabled ? "enabled" : "disabled"}.` };
}

export function updatePassword(world: World, service: ServiceRecord, password: string): void {
    if (password.length < minPasswordLength) {
        throw invalid(`password must have at least ${minPasswordLength} characters.`);
    }
    serviceMust(service, "a new password");
    service.password = world.rules.servers.hashPassword(password);
}

/**
 * Starts a change and returns the service with its new status. Reads are stale first. Then they return the new status with the
 * old values, and at the end the new values.
 */
function change(world: World, service: ServiceRecord, set: Partial<ServiceValues>, duration: number): Wire["Service"] {
    const begins = world.now + world.rules.durations.staleRead;
    const through = "CONFIGURING";
    service.steps = [
        { at: begins, status: through },
        { at: begins + duration, status: service.status, set },
    ];
    return serviceView(world, service, through);
}

/** Changes the status immediately, and again after the duration. */
function pass(world: World, service: ServiceRecord, through: string, to: string | null, duration: number) {
    setStatus(service, through, world.now);
    recordStatus(service, through, world.now);
    service.steps = [{ at: world.now + duration, status: to }];
    return serviceView(world, service, through);
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
