import { conflict, invalid } from "../errors";
import type { Wire } from "../wire";
import { serviceMust } from "./accept";
import { findVpc } from "./find";
import { newId, newPassword } from "./ids";
import { recordStatus } from "./logs";
import { setStatus } from "./progress";
import { maxNameLength, minPasswordLength } from "./rules";
import { checkRegion, checkReplicas, defaultSize, parseSize } from "./sizes";
import type { ServiceKind, ServiceRecord, ServiceValues } from "./state";
import type { World } from "./world";

/** A new service and its initial password, which is returned only once. */
export interface Made {
    service: ServiceRecord;
    initialPassword: string;
}

export function createService(world: World, projectId: string, input: Wire["ServiceCreateInput"]): Made {
    const { rules } = world;
    const replicaCount = input.replica_count ?? 0;
    checkReplicas(replicaCount, 0);
    return addService(world, rules.durations.create, {
        projectId,
        name: input.name,
        kind: kindOf(input.addons ?? []),
        regionCode: checkRegion(rules, input.region_code ?? rules.regions[0] ?? ""),
        environment: input.environment_tag ?? "DEV",
        parentId: null,
        values: {
            size: parseSize(rules, input, defaultSize),
            replicaCount,
            syncReplicaCount: 0,
            vpcId: null,
        },
    });
}

/** A fork has the type and region of its parent, but no replicas, VPC or pooler. */
export function forkService(world: World, parent: ServiceRecord, input: Wire["ForkServiceInput"]): Made {
    const { rules } = world;
    checkForkPoint(world, parent, input);
    const size = parseSize(rules, input, parent.values.size);
    serviceMust(parent, "fork");
    const fork = addService(world, rules.durations.fork, {
        projectId: parent.projectId,
        name: input.name ?? `${parent.name}-fork`.slice(-maxNameLength),
        kind: parent.kind,
        regionCode: parent.regionCode,
        environment: input.environment_tag ?? "DEV",
        parentId: parent.id,
        values: { size, replicaCount: 0, syncReplicaCount: 0, vpcId: null },
    });
    fork.service.forkPoint = forkPointOf(world, parent, input);
    Object.assign(fork.service, parent.missingExtension !== undefined && { missingExtension: parent.missingExtension });
    fork.service.backupAt = (fork.service.steps.at(-1)?.at ?? world.now) + rules.durations.firstBackup;
    return fork;
}

type Declared = Pick<
    ServiceRecord,
    "projectId" | "name" | "kind" | "regionCode" | "environment" | "parentId" | "values"
>;

function addService(world: World, configuring: number, declared: Declared): Made {
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
        backupAt: now,
        override: null,
        log: [],
    };
    recordStatus(service, "QUEUED", now);
    world.add("services", service);
    world.initialPasswords.set(service.id, initialPassword);
    return { service, initialPassword };
}

export function resizeService(world: World, service: ServiceRecord, input: Wire["ResizeInput"]): string {
    const size = parseSize(world.rules, input, service.values.size);
    serviceMust(service, "resize");
    return change(world, service, { size }, world.rules.durations.resize);
}

/** A count that is not in the request stays unchanged. */
export function setHA(world: World, service: ServiceRecord, input: Wire["SetHAInput"]): string {
    const replicaCount = input.replica_count ?? service.values.replicaCount;
    const syncReplicaCount = input.sync_replica_count ?? service.values.syncReplicaCount;
    checkReplicas(replicaCount, syncReplicaCount);
    serviceMust(service, "setHA");
    return change(world, service, { replicaCount, syncReplicaCount }, world.rules.durations.setHA);
}

/** Rejects a second attachment, also to the VPC that the service is already attached to. */
export function attachToVpc(world: World, service: ServiceRecord, vpcId: string): void {
    const vpc = findVpc(world, service.projectId, vpcId);
    if (vpc.regionCode !== service.regionCode) {
        // 400 instead of 409, because a retry cannot succeed.
        throw invalid(
            `VPC ${vpcId} is in ${vpc.regionCode} and service ${service.id} is in ${service.regionCode}. Both must be in the same region.`,
        );
    }
    serviceMust(service, "attachToVPC");
    const attachedTo = service.values.vpcId;
    if (attachedTo === vpcId) {
        throw conflict(`Service ${service.id} is already attached to VPC ${vpcId}.`);
    }
    if (attachedTo !== null) {
        throw conflict(`Service ${service.id} is attached to VPC ${attachedTo}. Detach it first.`);
    }
    change(world, service, { vpcId }, world.rules.durations.vpcChange);
}

export function detachFromVpc(world: World, service: ServiceRecord, vpcId: string): void {
    serviceMust(service, "detachFromVPC");
    const attachedTo = service.values.vpcId;
    if (attachedTo !== vpcId) {
        throw conflict(
            `Service ${service.id} is not attached to VPC ${vpcId}. ` +
                (attachedTo ? `It is attached to VPC ${attachedTo}.` : "It is not attached to any VPC."),
        );
    }
    change(world, service, { vpcId: null }, world.rules.durations.vpcChange);
}

export function stopService(world: World, service: ServiceRecord): string {
    serviceMust(service, "stop");
    return pass(world, service, "PAUSING", "PAUSED", world.rules.durations.stop);
}

export function startService(world: World, service: ServiceRecord): string {
    serviceMust(service, "start");
    return pass(world, service, "RESUMING", "READY", world.rules.durations.start);
}

export function deleteService(world: World, service: ServiceRecord): void {
    const sets = world.within("replicaSets", service.id);
    if (sets.length > 0) {
        const ids = sets.map(({ id }) => id).join(", ");
        throw conflict(`Service ${service.id} still has read replica sets (${ids}). Delete them first.`);
    }
    serviceMust(service, "delete");
    service.override = null;
    pass(world, service, "DELETING", null, world.rules.durations.delete);
}

export function setPooler(service: ServiceRecord, enabled: boolean): void {
    serviceMust(service, "a change of its connection pooler");
    service.pooler = enabled;
}

export function setEnvironment(service: ServiceRecord, environment: string): void {
    serviceMust(service, "another environment");
    service.environment = environment;
}

/** Takes effect immediately. Names do not have to be unique. */
export function renameService(service: ServiceRecord, name: string): void {
    serviceMust(service, "another name");
    service.name = name;
}

export function updatePassword(world: World, service: ServiceRecord, password: string): void {
    if (password.length < minPasswordLength) {
        throw invalid(`password must have at least ${minPasswordLength} characters.`);
    }
    serviceMust(service, "a new password");
    service.password = world.rules.servers.hashPassword(password);
}

/**
 * Starts a change and returns the new status. Reads are stale first. Then they return the new status with the old values, and
 * at the end the new values.
 */
function change(world: World, service: ServiceRecord, set: Partial<ServiceValues>, duration: number): string {
    const begins = world.now + world.rules.durations.staleRead;
    const through = "CONFIGURING";
    service.steps = [
        { at: begins, status: through },
        { at: begins + duration, status: service.status, set },
    ];
    return through;
}

/** Changes the status immediately, and again after the duration. Returns the new status. */
function pass(world: World, service: ServiceRecord, through: string, to: string | null, duration: number): string {
    setStatus(service, through, world.now);
    recordStatus(service, through, world.now);
    service.steps = [{ at: world.now + duration, status: to }];
    return through;
}

function kindOf(addons: readonly Wire["Addon"][]): ServiceKind {
    if (addons.includes("time-series")) {
        return "TIMESERIESDB";
    }
    return addons.includes("ai") ? "VECTOR" : "POSTGRES";
}

function forkPointOf(world: World, parent: ServiceRecord, input: Wire["ForkServiceInput"]): number | null {
    if (input.fork_strategy === "NOW") {
        return null;
    }
    return input.target_time === undefined ? lastSnapshot(parent, world.now) : Date.parse(input.target_time);
}

const snapshotIntervalMs = 3_600_000;

/** The emulator takes a snapshot every hour after the creation, and on request. */
function lastSnapshot({ createdAt, snapshotAt = createdAt, restorableFrom = createdAt }: ServiceRecord, now: number) {
    const hourly = now - ((now - createdAt) % snapshotIntervalMs);
    return Math.max(hourly, snapshotAt, restorableFrom);
}

function checkForkPoint(
    world: World,
    parent: ServiceRecord,
    { fork_strategy, target_time }: Wire["ForkServiceInput"],
): void {
    if (fork_strategy !== "PITR") {
        if (target_time !== undefined) {
            throw invalid(`target_time requires fork_strategy PITR, not ${fork_strategy}.`);
        }
        return;
    }
    if (target_time === undefined) {
        throw invalid("target_time is required with fork_strategy PITR.");
    }
    const target = Date.parse(target_time);
    const earliest = parent.restorableFrom ?? parent.createdAt;
    if (target < earliest || target > world.now) {
        const [from, to] = [earliest, world.now].map((at) => new Date(at).toISOString());
        throw invalid(
            `target_time ${target_time} is out of range. Service ${parent.id} can be restored to a time from ${from} to ${to}.`,
        );
    }
}
