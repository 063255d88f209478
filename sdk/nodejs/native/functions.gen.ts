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
import { invoke, invokeOutput, type FunctionOptions, type FunctionOutputOptions } from "./invoke";

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
export function getAuthInfo(options?: FunctionOptions): Promise<GetAuthInfoResult> {
    return invoke("getAuthInfo", {}, options);
}

/** Like {@link getAuthInfo}, but returns an output. */
export function getAuthInfoOutput(options?: FunctionOutputOptions): Output<GetAuthInfoResult> {
    return invokeOutput("getAuthInfo", {}, options);
}

/** Returns the projects that the caller can access. */
export function getProjects(options?: FunctionOptions): Promise<GetProjectResult[]> {
    return invoke("getProjects", {}, options);
}

/** Like {@link getProjects}, but returns an output. */
export function getProjectsOutput(options?: FunctionOutputOptions): Output<GetProjectResult[]> {
    return invokeOutput("getProjects", {}, options);
}

/** Returns all VPCs of a project. */
export function getVpcs(args: ProjectArgs = {}, options?: FunctionOptions): Promise<GetVpcResult[]> {
    return invoke("getVpcs", args, options);
}

/** Like {@link getVpcs}, but takes inputs and returns an output. */
export function getVpcsOutput(args: Args<ProjectArgs> = {}, options?: FunctionOutputOptions): Output<GetVpcResult[]> {
    return invokeOutput("getVpcs", args, options);
}

/** Returns one VPC. Fails with status 404 if it does not exist. */
export function getVpc(args: GetVpcArgs, options?: FunctionOptions): Promise<GetVpcResult> {
    return invoke("getVpc", args, options);
}

/** Like {@link getVpc}, but takes inputs and returns an output. */
export function getVpcOutput(args: Args<GetVpcArgs>, options?: FunctionOutputOptions): Output<GetVpcResult> {
    return invokeOutput("getVpc", args, options);
}

/** Returns all peerings of a VPC. Fails with status 404 if the VPC does not exist. */
export function getPeerings(args: GetPeeringsArgs, options?: FunctionOptions): Promise<GetPeeringResult[]> {
    return invoke("getPeerings", args, options);
}

/** Like {@link getPeerings}, but takes inputs and returns an output. */
export function getPeeringsOutput(
    args: Args<GetPeeringsArgs>,
    options?: FunctionOutputOptions,
): Output<GetPeeringResult[]> {
    return invokeOutput("getPeerings", args, options);
}

/** Returns one peering. Fails with status 404 if it does not exist. */
export function getPeering(args: GetPeeringArgs, options?: FunctionOptions): Promise<GetPeeringResult> {
    return invoke("getPeering", args, options);
}

/** Like {@link getPeering}, but takes inputs and returns an output. */
export function getPeeringOutput(
    args: Args<GetPeeringArgs>,
    options?: FunctionOutputOptions,
): Output<GetPeeringResult> {
    return invokeOutput("getPeering", args, options);
}

/** Returns all services of a project. Leaves out entries that represent a read replica set. */
export function getServices(args: ProjectArgs = {}, options?: FunctionOptions): Promise<GetServiceResult[]> {
    return invoke("getServices", args, options);
}

/** Like {@link getServices}, but takes inputs and returns an output. */
export function getServicesOutput(
    args: Args<ProjectArgs> = {},
    options?: FunctionOutputOptions,
): Output<GetServiceResult[]> {
    return invokeOutput("getServices", args, options);
}

/**
 * Returns one service, by its id or its name. Fails with status 404 if no service has the id. Fails if the id belongs
 * to a read replica set, or if no or more than one service has the name.
 */
export function getService(args: GetServiceArgs, options?: FunctionOptions): Promise<GetServiceResult> {
    return invoke("getService", args, options);
}

/** Like {@link getService}, but takes inputs and returns an output. */
export function getServiceOutput(
    args: Args<GetServiceArgs>,
    options?: FunctionOutputOptions,
): Output<GetServiceResult> {
    return invokeOutput("getService", args, options);
}

/** Returns all read replica sets of a service. Fails with status 404 if the service does not exist. */
export function getReadReplicaSets(
    args: GetReadReplicaSetsArgs,
    options?: FunctionOptions,
): Promise<GetReadReplicaSetResult[]> {
    return invoke("getReadReplicaSets", args, options);
}

/** Like {@link getReadReplicaSets}, but takes inputs and returns an output. */
export function getReadReplicaSetsOutput(
    args: Args<GetReadReplicaSetsArgs>,
    options?: FunctionOutputOptions,
): Output<GetReadReplicaSetResult[]> {
    return invokeOutput("getReadReplicaSets", args, options);
}

/**
 * Returns the log of a service, newest entry first. Fails with status 404 if the service does not exist. Fails if an
 * argument is not valid or the API returns the same page twice, or too many pages without entries.
 */
export function getServiceLogs(args: GetServiceLogsArgs, options?: FunctionOptions): Promise<LogEntry[]> {
    return invoke("getServiceLogs", args, options);
}

/** Like {@link getServiceLogs}, but takes inputs and returns an output. */
export function getServiceLogsOutput(
    args: Args<GetServiceLogsArgs>,
    options?: FunctionOutputOptions,
): Output<LogEntry[]> {
    return invokeOutput("getServiceLogs", args, options);
}
