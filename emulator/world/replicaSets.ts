import { conflict } from "../errors";
import { replicaSetMust, serviceMust, shownStatus } from "./accept";
import { findReplicaSet, findService, findStandby, listed } from "./find";
import type { Standby } from "./find";
import type { Call, Handlers } from "./handler";
import { newId } from "./ids";
import { setStatus } from "./progress";
import { checkNodes, checkSize, parseDedicatedSize } from "./sizes";
import type { ReplicaSetRecord } from "./state";
import { replicaSetView } from "./views";

export const replicaSetHandlers = {
    listReplicaSets: ({ world, params }) => {
        const service = findService(world, params.project_id, params.service_id);
        return listed(world, "replicaSets", service.id).map((set) => replicaSetView(world, set));
    },
    createReplicaSet: ({ world, params, body }) => {
        if (findStandby(world, params.project_id, params.service_id)) {
            throw conflict(
                `${params.service_id} is a read replica set. Use the id of a service to create a read replica set.`,
            );
        }
        const { now, random, rules } = world;
        const service = findService(world, params.project_id, params.service_id);
        const values = { nodes: checkNodes(body.nodes), ...checkSize(rules, body) };
        serviceMust(service, "a new read replica set");
        if (service.backupAt > now) {
            throw conflict(
                `Service ${service.id} is a new fork and has no backup yet, so it rejects a new read replica set. Try again later.`,
            );
        }
        const set: ReplicaSetRecord = {
            id: newId(random, world.isTaken),
            serviceId: service.id,
            name: body.name,
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
        return replicaSetView(world, set);
    },
    /** Without a node count in the request, the current one stays. */
    resizeReplicaSet: (call) => {
        const { now, rules } = call.world;
        const { set, parent } = found(call);
        const nodes = checkNodes(call.body.nodes ?? set.values.nodes);
        const size = parseDedicatedSize(rules, call.body, set.values);
        if (shownStatus(parent) === "PAUSED") {
            throw conflict(`Service ${parent.id} is PAUSED. Start it to resize its read replica sets.`);
        }
        replicaSetMust(set, "resize");
        const begins = now + rules.durations.staleRead;
        set.steps = [
            { at: begins, status: "resizing" },
            { at: begins + rules.durations.replicaSetResize, status: "active", set: { nodes, ...size } },
        ];
        return { message: `Read replica set ${set.id} is being resized.` };
    },
    deleteReplicaSet: (call) => {
        const { now, rules } = call.world;
        const { set } = found(call);
        replicaSetMust(set, "delete");
        set.override = null;
        setStatus(set, "deleting", now);
        set.steps = [{ at: now + rules.durations.replicaSetDelete, status: null }];
    },
    enableReplicaSetPooler: (call) => setPooler(found(call).set, true),
    disableReplicaSetPooler: (call) => setPooler(found(call).set, false),
    setReplicaSetEnvironment: (call) => {
        const { set } = found(call);
        replicaSetMust(set, "another environment");
        set.environment = call.body.environment;
        return { message: `The environment is ${set.environment}.` };
    },
} satisfies Partial<Handlers>;

const found = ({ world, params }: Pick<Call<"deleteReplicaSet">, "world" | "params">): Standby =>
    findReplicaSet(world, params.project_id, params.service_id, params.replica_set_id);

function setPooler(set: ReplicaSetRecord, enabled: boolean): { message: string } {
    replicaSetMust(set, "a change of its connection pooler");
    set.pooler = enabled;
    return { message: `The connection pooler is ${enabled ? "enabled" : "disabled"}.` };
}
