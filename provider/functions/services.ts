import type { Service } from "../api/contract";
import { readReplicaSet, type ReadReplicaSetObserved } from "../resources/readReplicaSet";
import { service, type ServiceObserved } from "../resources/service/service";
import {
    defineFunction,
    listOptions,
    LookupError,
    projectOf,
    readOptionsOf,
    type InProject,
    type ProjectArgs,
} from "./function";

/** A service. The properties have the same names as the outputs of `Service`. It contains no passwords. */
export type GetServiceResult = ServiceObserved & InProject;

/** A read replica set. The properties have the same names as the outputs of `ReadReplicaSet`. */
export type GetReadReplicaSetResult = ReadReplicaSetObserved & InProject;

/** The arguments of {@link getService}. */
export interface GetServiceArgs extends ProjectArgs {
    /** The id of the service. */
    serviceId: string;
}

/** The arguments of {@link getReadReplicaSets}. */
export interface GetReadReplicaSetsArgs extends ProjectArgs {
    /** The id of the service whose read replica sets are returned. */
    serviceId: string;
}

export const getServices = defineFunction<ProjectArgs, GetServiceResult[]>({
    required: [],
    list: "services",
    run: async (args, context) => {
        const projectId = projectOf(args, context);
        const source = service.collection.source({ project_id: projectId }, context.client);
        const items = await source.list(listOptions(context));
        return items.map((item) => resultOf(item, projectId));
    },
});

export const getService = defineFunction<GetServiceArgs, GetServiceResult>({
    required: ["serviceId"],
    run: async (args, context) => {
        const projectId = projectOf(args, context);
        const path = { project_id: projectId, service_id: args.serviceId };
        const item = await context.client.call("getService", { path }, readOptionsOf(context));
        if (item.forked_from?.is_standby) {
            throw new LookupError(
                `${args.serviceId} is a read replica set, not a service. Use getReadReplicaSets with the id of its service.`,
            );
        }
        return resultOf(item, projectId);
    },
});

export const getReadReplicaSets = defineFunction<GetReadReplicaSetsArgs, GetReadReplicaSetResult[]>({
    required: ["serviceId"],
    list: "readReplicaSets",
    run: async (args, context) => {
        const projectId = projectOf(args, context);
        const path = { project_id: projectId, service_id: args.serviceId };
        const items = await context.client.call("listReplicaSets", { path }, listOptions(context));
        return items.map((item) => ({ projectId, ...readReplicaSet.observation.observe(item, path) }));
    },
});

function resultOf(item: Service, projectId: string): GetServiceResult {
    return { projectId, ...service.observation.observe(item, service.identity.pathOf(projectId, item.service_id)) };
}
