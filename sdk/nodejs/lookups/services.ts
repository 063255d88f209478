import type { Output } from "@pulumi/pulumi";
import { readOptions } from "../../../provider/api/client";
import type { Service } from "../../../provider/api/contract";
import { readReplicaSet, type ReadReplicaSetObserved } from "../../../provider/resources/readReplicaSet";
import { service, type ServiceObserved } from "../../../provider/resources/service/service";
import type { Args } from "../resource";
import { LookupError } from "./errors";
import {
    callInProject,
    callWithInputs,
    skipMalformed,
    type InProject,
    type LookupOptions,
    type ProjectArgs,
} from "./lookup";

/** A service. The properties have the names of the outputs of `Service`. It contains no passwords. */
export type GetServiceResult = ServiceObserved & InProject;

/** A read replica set. The properties have the names of the outputs of `ReadReplicaSet`. */
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

/** Returns all services of a project (`GET …/services`). Leaves out entries that represent a read replica set. */
export function getServices(args: ProjectArgs = {}): Promise<GetServiceResult[]> {
    return callInProject("getServices", args, [], async (client, projectId) => {
        const items = await service.collection.source({ project_id: projectId }, client).list(skipMalformed);
        return items.map((item) => describe(item, projectId));
    });
}

/** {@link getServices} that takes inputs and returns an output. */
export function getServicesOutput(args: Args<ProjectArgs> = {}, options?: LookupOptions): Output<GetServiceResult[]> {
    return callWithInputs(getServices, args, options);
}

/**
 * Returns one service (`GET …/services/{id}`). Throws an `ApiError` with status 404 if it does not exist, and a `LookupError`
 * if the id is that of a read replica set.
 */
export function getService(args: GetServiceArgs): Promise<GetServiceResult> {
    return callInProject("getService", args, ["serviceId"], async (client, projectId) => {
        const item = await client.getService(projectId, args.serviceId, readOptions);
        if (item.forked_from?.is_standby) {
            throw new LookupError(
                `${args.serviceId} is a read replica set, not a service. Use getReadReplicaSets with the id of its service.`,
            );
        }
        return describe(item, projectId);
    });
}

/** {@link getService} that takes inputs and returns an output. */
export function getServiceOutput(args: Args<GetServiceArgs>, options?: LookupOptions): Output<GetServiceResult> {
    return callWithInputs(getService, args, options);
}

/**
 * Returns all read replica sets of a service (`GET …/services/{id}/replicaSets`). Throws an `ApiError` with status 404 if the
 * service does not exist.
 */
export function getReadReplicaSets(args: GetReadReplicaSetsArgs): Promise<GetReadReplicaSetResult[]> {
    return callInProject("getReadReplicaSets", args, ["serviceId"], async (client, projectId) => {
        const items = await client.listReplicaSets(projectId, args.serviceId, skipMalformed);
        return items.map((item) => {
            const path = readReplicaSet.identity.pathOf(projectId, `${args.serviceId}/${item.id}`);
            return { projectId, ...readReplicaSet.state.observe(item, path) };
        });
    });
}

/** {@link getReadReplicaSets} that takes inputs and returns an output. */
export function getReadReplicaSetsOutput(
    args: Args<GetReadReplicaSetsArgs>,
    options?: LookupOptions,
): Output<GetReadReplicaSetResult[]> {
    return callWithInputs(getReadReplicaSets, args, options);
}

function describe(item: Service, projectId: string): GetServiceResult {
    return { projectId, ...service.state.observe(item, service.identity.pathOf(projectId, item.service_id)) };
}
