import type { Output } from "@pulumi/pulumi";
import type { ProjectArgs } from "../../../provider/functions/function";
import type {
    GetPeeringArgs,
    GetPeeringResult,
    GetPeeringsArgs,
    GetVpcArgs,
    GetVpcResult,
} from "../../../provider/functions/resources";
import type { Args } from "../types";
import { call, callWithInputs, type LookupOptions } from "./lookup";

/** Returns all VPCs of a project (`GET …/vpcs`). */
export function getVpcs(args: ProjectArgs = {}): Promise<GetVpcResult[]> {
    return call("getVpcs", args);
}

/** Like {@link getVpcs}, but takes inputs and returns an output. */
export function getVpcsOutput(args: Args<ProjectArgs> = {}, options?: LookupOptions): Output<GetVpcResult[]> {
    return callWithInputs(getVpcs, args, options);
}

/** Returns one VPC (`GET …/vpcs/{id}`). Throws an `ApiError` with status 404 if it does not exist. */
export function getVpc(args: GetVpcArgs): Promise<GetVpcResult> {
    return call("getVpc", args);
}

/** Like {@link getVpc}, but takes inputs and returns an output. */
export function getVpcOutput(args: Args<GetVpcArgs>, options?: LookupOptions): Output<GetVpcResult> {
    return callWithInputs(getVpc, args, options);
}

/**
 * Returns all peerings of a VPC (`GET …/vpcs/{id}/peerings`). Throws an `ApiError` with status 404 if the VPC does not exist.
 */
export function getPeerings(args: GetPeeringsArgs): Promise<GetPeeringResult[]> {
    return call("getPeerings", args);
}

/** Like {@link getPeerings}, but takes inputs and returns an output. */
export function getPeeringsOutput(args: Args<GetPeeringsArgs>, options?: LookupOptions): Output<GetPeeringResult[]> {
    return callWithInputs(getPeerings, args, options);
}

/** Returns one peering (`GET …/vpcs/{id}/peerings/{id}`). Throws an `ApiError` with status 404 if it does not exist. */
export function getPeering(args: GetPeeringArgs): Promise<GetPeeringResult> {
    return call("getPeering", args);
}

/** Like {@link getPeering}, but takes inputs and returns an output. */
export function getPeeringOutput(args: Args<GetPeeringArgs>, options?: LookupOptions): Output<GetPeeringResult> {
    return callWithInputs(getPeering, args, options);
}

export type {
    GetPeeringArgs,
    GetPeeringResult,
    GetPeeringsArgs,
    GetVpcArgs,
    GetVpcResult,
} from "../../../provider/functions/resources";
