import type { Output } from "@pulumi/pulumi";
import type { ProjectArgs } from "../../../provider/functions/function";
import type {
    GetReadReplicaSetResult,
    GetReadReplicaSetsArgs,
    GetServiceArgs,
    GetServiceResult,
} from "../../../provider/functions/resources";
import type { Args } from "../types";
import { call, callWithInputs, type LookupOptions } from "./lookup";

/** Returns all services of a project (`GET …/services`). Leaves out entries that represent a read replica set. */
export function getServices(args: ProjectArgs = {}): Promise<GetServiceResult[]> {
    return call("getServices", args);
}

/** Like {@link getServices}, but takes inputs and returns an output. */
export function getServicesOutput(args: Args<ProjectArgs> = {}, options?: LookupOptions): Output<GetServiceResult[]> {
    return callWithInputs(getServices, args, options);
}

/**
 * Returns one service (`GET …/services/{id}`). Throws an `ApiError` with status 404 if it does not exist, and a
 * `LookupError` if the id belongs to a read replica set.
 */
export function getService(args: GetServiceArgs): Promise<GetServiceResult> {
    return call("getService", args);
}

/** Like {@link getService}, but takes inputs and returns an output. */
export function getServiceOutput(args: Args<GetServiceArgs>, options?: LookupOptions): Output<GetServiceResult> {
    return callWithInputs(getService, args, options);
}

/**
 * Returns all read replica sets of a service (`GET …/services/{id}/replicaSets`). Throws an `ApiError` with status 404 if the
 * service does not exist.
 */
export function getReadReplicaSets(args: GetReadReplicaSetsArgs): Promise<GetReadReplicaSetResult[]> {
    return call("getReadReplicaSets", args);
}

/** Like {@link getReadReplicaSets}, but takes inputs and returns an output. */
export function getReadReplicaSetsOutput(
    args: Args<GetReadReplicaSetsArgs>,
    options?: LookupOptions,
): Output<GetReadReplicaSetResult[]> {
    return callWithInputs(getReadReplicaSets, args, options);
}

export type {
    GetReadReplicaSetResult,
    GetReadReplicaSetsArgs,
    GetServiceArgs,
    GetServiceResult,
} from "../../../provider/functions/resources";
