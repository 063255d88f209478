// Generated from provider/functions by `npm run generate`.

import type { Output } from "@pulumi/pulumi";
import type { GetAuthInfoResult } from "../../../provider/functions/account";
import type { GetPeeringArgs } from "../../../provider/functions/resources.gen";
import type { GetPeeringResult } from "../../../provider/functions/resources.gen";
import type { GetPeeringsArgs } from "../../../provider/functions/resources.gen";
import type { GetProjectResult } from "../../../provider/functions/account";
import type { GetReadReplicaSetResult } from "../../../provider/functions/resources.gen";
import type { GetReadReplicaSetsArgs } from "../../../provider/functions/resources.gen";
import type { GetServiceArgs } from "../../../provider/functions/service";
import type { GetServiceLogsArgs } from "../../../provider/functions/logs";
import type { GetServiceResult } from "../../../provider/functions/service";
import type { GetVpcArgs } from "../../../provider/functions/resources.gen";
import type { GetVpcResult } from "../../../provider/functions/resources.gen";
import type { LogEntry } from "../../../provider/functions/logs";
import type { ProjectArgs } from "../../../provider/functions/function";
import type { User } from "../../../provider/functions/account";
import type { Args } from "../types";
import { call, callOutput, type FunctionOptions } from "./call";

export type {
    GetAuthInfoResult,
    GetPeeringArgs,
    GetPeeringResult,
    GetPeeringsArgs,
    GetProjectResult,
    GetReadReplicaSetResult,
    GetReadReplicaSetsArgs,
    GetServiceArgs,
    GetServiceLogsArgs,
    GetServiceResult,
    GetVpcArgs,
    GetVpcResult,
    LogEntry,
    ProjectArgs,
    User,
};

/** Returns the authenticated caller. */
export function getAuthInfo(): Promise<GetAuthInfoResult> {
    return call("getAuthInfo", {});
}

/** Like {@link getAuthInfo}, but returns an output. */
export function getAuthInfoOutput(options?: FunctionOptions): Output<GetAuthInfoResult> {
    return callOutput("getAuthInfo", {}, options);
}

/** Returns the projects that the caller can access. */
export function getProjects(): Promise<GetProjectResult[]> {
    return call("getProjects", {});
}

/** Like {@link getProjects}, but returns an output. */
export function getProjectsOutput(options?: FunctionOptions): Output<GetProjectResult[]> {
    return callOutput("getProjects", {}, options);
}

/** Returns all VPCs of a project. */
export function getVpcs(args: ProjectArgs = {}): Promise<GetVpcResult[]> {
    return call("getVpcs", args);
}

/** Like {@link getVpcs}, but takes inputs and returns an output. */
export function getVpcsOutput(args: Args<ProjectArgs> = {}, options?: FunctionOptions): Output<GetVpcResult[]> {
    return callOutput("getVpcs", args, options);
}

/** Returns one VPC. Fails with status 404 if it does not exist. */
export function getVpc(args: GetVpcArgs): Promise<GetVpcResult> {
    return call("getVpc", args);
}

/** Like {@link getVpc}, but takes inputs and returns an output. */
export function getVpcOutput(args: Args<GetVpcArgs>, options?: FunctionOptions): Output<GetVpcResult> {
    return callOutput("getVpc", args, options);
}

/** Returns all peerings of a VPC. Fails with status 404 if the VPC does not exist. */
export function getPeerings(args: GetPeeringsArgs): Promise<GetPeeringResult[]> {
    return call("getPeerings", args);
}

/** Like {@link getPeerings}, but takes inputs and returns an output. */
export function getPeeringsOutput(args: Args<GetPeeringsArgs>, options?: FunctionOptions): Output<GetPeeringResult[]> {
    return callOutput("getPeerings", args, options);
}

/** Returns one peering. Fails with status 404 if it does not exist. */
export function getPeering(args: GetPeeringArgs): Promise<GetPeeringResult> {
    return call("getPeering", args);
}

/** Like {@link getPeering}, but takes inputs and returns an output. */
export function getPeeringOutput(args: Args<GetPeeringArgs>, options?: FunctionOptions): Output<GetPeeringResult> {
    return callOutput("getPeering", args, options);
}

/** Returns all services of a project. Leaves out entries that represent a read replica set. */
export function getServices(args: ProjectArgs = {}): Promise<GetServiceResult[]> {
    return call("getServices", args);
}

/** Like {@link getServices}, but takes inputs and returns an output. */
export function getServicesOutput(args: Args<ProjectArgs> = {}, options?: FunctionOptions): Output<GetServiceResult[]> {
    return callOutput("getServices", args, options);
}

/**
 * Returns one service, by its id or its name. Fails with status 404 if no service has the id. Fails if the id belongs
 * to a read replica set, or if no or more than one service has the name.
 */
export function getService(args: GetServiceArgs): Promise<GetServiceResult> {
    return call("getService", args);
}

/** Like {@link getService}, but takes inputs and returns an output. */
export function getServiceOutput(args: Args<GetServiceArgs>, options?: FunctionOptions): Output<GetServiceResult> {
    return callOutput("getService", args, options);
}

/** Returns all read replica sets of a service. Fails with status 404 if the service does not exist. */
export function getReadReplicaSets(args: GetReadReplicaSetsArgs): Promise<GetReadReplicaSetResult[]> {
    return call("getReadReplicaSets", args);
}

/** Like {@link getReadReplicaSets}, but takes inputs and returns an output. */
export function getReadReplicaSetsOutput(
    args: Args<GetReadReplicaSetsArgs>,
    options?: FunctionOptions,
): Output<GetReadReplicaSetResult[]> {
    return callOutput("getReadReplicaSets", args, options);
}

/**
 * Returns the log of a service, newest entry first. Fails with status 404 if the service does not exist. Fails if an
 * argument is not valid or the API returns the same page twice, or too many pages without entries.
 */
export function getServiceLogs(args: GetServiceLogsArgs): Promise<LogEntry[]> {
    return call("getServiceLogs", args);
}

/** Like {@link getServiceLogs}, but takes inputs and returns an output. */
export function getServiceLogsOutput(args: Args<GetServiceLogsArgs>, options?: FunctionOptions): Output<LogEntry[]> {
    return callOutput("getServiceLogs", args, options);
}
