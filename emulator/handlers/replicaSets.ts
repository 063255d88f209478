import { conflict } from "../errors";
import { findReplicaSet, findService, findStandby, listed } from "../world/find";
import type { Standby } from "../world/find";
import {
    createReplicaSet,
    deleteReplicaSet,
    resizeReplicaSet,
    setReplicaSetEnvironment,
    setReplicaSetPooler,
} from "../world/replicaSets";
import { replicaSetView } from "../world/views";
import type { Call, HandlersOf } from "./handler";

type Sets = "listReplicaSets" | "createReplicaSet" | "deleteReplicaSet" | "resizeReplicaSet";
type Settings = "enableReplicaSetPooler" | "disableReplicaSetPooler" | "setReplicaSetEnvironment";

export const replicaSetHandlers: HandlersOf<Sets | Settings> = {
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
        const service = findService(world, params.project_id, params.service_id);
        return replicaSetView(world, createReplicaSet(world, service, body));
    },
    deleteReplicaSet: (call) => {
        deleteReplicaSet(call.world, found(call).set);
    },
    resizeReplicaSet: (call) => {
        const { set, parent } = found(call);
        resizeReplicaSet(call.world, parent, set, call.body);
        return { message: `Read replica set ${set.id} is being resized.` };
    },
    enableReplicaSetPooler: (call) => {
        setReplicaSetPooler(found(call).set, true);
        return { message: "The connection pooler is enabled." };
    },
    disableReplicaSetPooler: (call) => {
        setReplicaSetPooler(found(call).set, false);
        return { message: "The connection pooler is disabled." };
    },
    setReplicaSetEnvironment: (call) => {
        setReplicaSetEnvironment(found(call).set, call.body.environment);
        return { message: `The environment is ${call.body.environment}.` };
    },
};

const found = ({ world, params }: Pick<Call<"deleteReplicaSet">, "world" | "params">): Standby =>
    findReplicaSet(world, params.project_id, params.service_id, params.replica_set_id);
