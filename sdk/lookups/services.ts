import type { Output } from "@pulumi/pulumi";
import type { Service } from "../../provider/api/contract";
import { readReplicaSet, type ReadReplicaSetObserved } from "../../provider/resources/readReplicaSet";
import { service, type ServiceObserved } from "../../provider/resources/service/service";
import type { Args } from "../resource";
import { LookupError } from "./errors";
import { later, lookInProject, tolerant, type InProject, type LookupOptions, type ProjectArgs } from "./lookup";

/** A service, under the names of the outputs of `Service`; what the service does not tell, such as passwords, is not in it. */
export type GetServiceResult = ServiceObserved & InProject;

/** A read replica set, under the names of the outputs of `ReadReplicaSet`. */
export type GetReadReplicaSetResult = ReadReplicaSetObserved & InProject;

/** Which service. */
export interface GetServiceArgs extends ProjectArgs {
    /** Its id. */
    serviceId: string;
}

/** Of which service. */
export interface GetReadReplicaSetsArgs extends ProjectArgs {
    /** The service that is copied. */
    serviceId: string;
}

/** All services of a project, without entries that stand for a read replica set: `GET …/services`. */
export function getServices(args: ProjectArgs = {}): Promise<GetServiceResult[]> {
    return lookInProject("getServices", args, [], async (client, projectId) => {
        const items = await service.source({ project_id: projectId }, client).list(tolerant);
        return items.map((item) => describe(item, projectId));
    });
}

/** {@link getServices} of values that may be outputs. */
export function getServicesOutput(args: Args<ProjectArgs> = {}, options?: LookupOptions): Output<GetServiceResult[]> {
    return later(getServices, args, options);
}

/** One service: `GET …/services/{id}`. One that is not there is an `ApiError` with status 404. */
export function getService(args: GetServiceArgs): Promise<GetServiceResult> {
    return lookInProject("getService", args, ["serviceId"], async (client, projectId) => {
        const item = await client.getService(projectId, args.serviceId);
        if (item.forked_from?.is_standby) {
            throw new LookupError(
                `${args.serviceId} is a read replica set, not a service; look it up with getReadReplicaSets of its service.`,
            );
        }
        return describe(item, projectId);
    });
}

/** {@link getService} of values that may be outputs. */
export function getServiceOutput(args: Args<GetServiceArgs>, options?: LookupOptions): Output<GetServiceResult> {
    return later(getService, args, options);
}

/** All read replica sets of a service: `GET …/services/{id}/replicaSets`. */
export function getReadReplicaSets(args: GetReadReplicaSetsArgs): Promise<GetReadReplicaSetResult[]> {
    return lookInProject("getReadReplicaSets", args, ["serviceId"], async (client, projectId) => {
        const items = await client.listReplicaSets(projectId, args.serviceId, tolerant);
        return items.map((item) => {
            const path = readReplicaSet.pathOf(projectId, `${args.serviceId}/${item.id}`);
            return { projectId, ...readReplicaSet.observe(item, path) };
        });
    });
}

/** {@link getReadReplicaSets} of values that may be outputs. */
export function getReadReplicaSetsOutput(
    args: Args<GetReadReplicaSetsArgs>,
    options?: LookupOptions,
): Output<GetReadReplicaSetResult[]> {
    return later(getReadReplicaSets, args, options);
}

function describe(item: Service, projectId: string): GetServiceResult {
    return { projectId, ...service.observe(item, service.pathOf(projectId, item.service_id)) };
}
