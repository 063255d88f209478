import type { Output } from "@pulumi/pulumi";
import { readOptions } from "../../../provider/api/client";
import type { Peering, Vpc } from "../../../provider/api/contract";
import { peering, type PeeringObserved } from "../../../provider/resources/peering";
import { vpc, type VpcObserved } from "../../../provider/resources/vpc";
import type { Args } from "../resource";
import {
    callInProject,
    callWithInputs,
    skipMalformed,
    type InProject,
    type LookupOptions,
    type ProjectArgs,
} from "./lookup";

/** A VPC. The properties have the names of the outputs of `Vpc`. */
export type GetVpcResult = VpcObserved & InProject;

/** A peering. The properties have the names of the outputs of `Peering`. */
export type GetPeeringResult = PeeringObserved & InProject;

/** The arguments of {@link getVpc}. */
export interface GetVpcArgs extends ProjectArgs {
    /** The id of the VPC. */
    vpcId: string;
}

/** The arguments of {@link getPeerings}. */
export interface GetPeeringsArgs extends ProjectArgs {
    /** The id of the VPC whose peerings are returned. */
    vpcId: string;
}

/** The arguments of {@link getPeering}. */
export interface GetPeeringArgs extends ProjectArgs {
    /** The id of the VPC in this project. */
    vpcId: string;
    /** The id of the peering within the VPC. */
    peeringId: string;
}

/** Returns all VPCs of a project (`GET …/vpcs`). */
export function getVpcs(args: ProjectArgs = {}): Promise<GetVpcResult[]> {
    return callInProject("getVpcs", args, [], async (client, projectId) =>
        (await client.listVpcs(projectId, skipMalformed)).map((item) => describeVpc(item, projectId)),
    );
}

/** {@link getVpcs} that takes inputs and returns an output. */
export function getVpcsOutput(args: Args<ProjectArgs> = {}, options?: LookupOptions): Output<GetVpcResult[]> {
    return callWithInputs(getVpcs, args, options);
}

/** Returns one VPC (`GET …/vpcs/{id}`). Throws an `ApiError` with status 404 if it does not exist. */
export function getVpc(args: GetVpcArgs): Promise<GetVpcResult> {
    return callInProject("getVpc", args, ["vpcId"], async (client, projectId) =>
        describeVpc(await client.getVpc(projectId, args.vpcId, readOptions), projectId),
    );
}

/** {@link getVpc} that takes inputs and returns an output. */
export function getVpcOutput(args: Args<GetVpcArgs>, options?: LookupOptions): Output<GetVpcResult> {
    return callWithInputs(getVpc, args, options);
}

/**
 * Returns all peerings of a VPC (`GET …/vpcs/{id}/peerings`). Throws an `ApiError` with status 404 if the VPC does not exist.
 */
export function getPeerings(args: GetPeeringsArgs): Promise<GetPeeringResult[]> {
    return callInProject("getPeerings", args, ["vpcId"], async (client, projectId) =>
        (await client.listPeerings(projectId, args.vpcId, skipMalformed)).map((item) =>
            describePeering(item, projectId, args.vpcId),
        ),
    );
}

/** {@link getPeerings} that takes inputs and returns an output. */
export function getPeeringsOutput(args: Args<GetPeeringsArgs>, options?: LookupOptions): Output<GetPeeringResult[]> {
    return callWithInputs(getPeerings, args, options);
}

/** Returns one peering (`GET …/vpcs/{id}/peerings/{id}`). Throws an `ApiError` with status 404 if it does not exist. */
export function getPeering(args: GetPeeringArgs): Promise<GetPeeringResult> {
    return callInProject("getPeering", args, ["vpcId", "peeringId"], async (client, projectId) =>
        describePeering(
            await client.getPeering(projectId, args.vpcId, args.peeringId, readOptions),
            projectId,
            args.vpcId,
        ),
    );
}

/** {@link getPeering} that takes inputs and returns an output. */
export function getPeeringOutput(args: Args<GetPeeringArgs>, options?: LookupOptions): Output<GetPeeringResult> {
    return callWithInputs(getPeering, args, options);
}

function describeVpc(item: Vpc, projectId: string): GetVpcResult {
    return { projectId, ...vpc.state.observe(item, vpc.identity.pathOf(projectId, item.id)) };
}

function describePeering(item: Peering, projectId: string, vpcId: string): GetPeeringResult {
    return { projectId, ...peering.state.observe(item, peering.identity.pathOf(projectId, `${vpcId}/${item.id}`)) };
}
