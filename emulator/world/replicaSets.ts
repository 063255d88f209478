import { conflict } from "../errors";
import type { Wire } from "../wire";
import { replicaSetMust, serviceMust, shownStatus } from "./accept";
import { newId } from "./ids";
import { setStatus } from "./progress";
import { checkNodes, checkSize, parseDedicatedSize } from "./sizes";
import type { ReplicaSetRecord, ServiceRecord } from "./state";
import type { World } from "./world";

export function createReplicaSet(
    world: World,
    service: ServiceRecord,
    input: Wire["ReplicaSetCreateInput"],
): ReplicaSetRecord {
    const { now, random, rules } = world;
    const values = { nodes: checkNodes(input.nodes), ...checkSize(rules, input) };
    serviceMust(service, "a new read replica set");
    if (service.backupAt > now) {
        throw conflict(
            `Service ${service.id} is a new fork and has no backup yet, so it rejects a new read replica set. Try again later.`,
        );
    }
    const set: ReplicaSetRecord = {
        id: newId(random, world.isTaken),
        serviceId: service.id,
        name: input.name,
        ...world.newTimes(),
        status: "creating",
        values,
        steps: [{ at: now + rules.durations.replicaSetCreate, status: "active" }],
        environment: service.environment,
        pooler: false,
        ...rules.servers.newAddress(random),
        override: null,
    };
    world.add("replicaSets", set);
    return set;
}

/** Without a node count in the request, the current one stays. */
export function resizeReplicaSet(
    world: World,
    service: ServiceRecord,
    set: ReplicaSetRecord,
    input: Wire["ReplicaSetResizeInput"],
): void {
    const { now, rules } = world;
    const nodes = checkNodes(input.nodes ?? set.values.nodes);
    const size = parseDedicatedSize(rules, input, set.values);
    if (shownStatus(service) === "PAUSED") {
        throw conflict(`Service ${service.id} is PAUSED. Start it to resize its read replica sets.`);
    }
    replicaSetMust(set, "resize");
    const begins = now + rules.durations.staleRead;
    set.steps = [
        { at: begins, status: "resizing" },
        { at: begins + rules.durations.replicaSetResize, status: "active", set: { nodes, ...size } },
    ];
}

export function deleteReplicaSet(world: World, set: ReplicaSetRecord): void {
    replicaSetMust(set, "delete");
    set.override = null;
    setStatus(set, "deleting", world.now);
    set.steps = [{ at: world.now + world.rules.durations.replicaSetDelete, status: null }];
}

export function setReplicaSetPooler(set: ReplicaSetRecord, enabled: boolean): void {
    replicaSetMust(set, "a change of its connection pooler");
    set.pooler = enabled;
}

export function setReplicaSetEnvironment(set: ReplicaSetRecord, environment: string): void {
    replicaSetMust(set, "another environment");
    set.environment = environment;
}
