import type { Output } from "@pulumi/pulumi";
import type { Peering, Vpc } from "../../provider/api/contract";
import { peering, type PeeringObserved } from "../../provider/resources/peering";
import { vpc, type VpcObserved } from "../../provider/resources/vpc";
import type { Args } from "../resource";
import { later, lookInProject, tolerant, type InProject, type LookupOptions, type ProjectArgs } from "./lookup";

/** A VPC, under the names of the outputs of `Vpc`. */
export type GetVpcResult = VpcObserved & InProject;

/** A peering, under the names of the outputs of `Peering`. */
export type GetPeeringResult = PeeringObserved & InProject;

/** Which VPC. */
export interface GetVpcArgs extends ProjectArgs {
    /** Its id. */
    vpcId: string;
}

/** Of which VPC. */
export interface GetPeeringsArgs extends ProjectArgs {
    /** The VPC on our side. */
    vpcId: string;
}

/** Which peering. */
export interface GetPeeringArgs extends ProjectArgs {
    /** The VPC on our side. */
    vpcId: string;
    /** Its id within the VPC. */
    peeringId: string;
}

/** All VPCs of a project: `GET …/vpcs`. */
export function getVpcs(args: ProjectArgs = {}): Promise<GetVpcResult[]> {
    return lookInProject("getVpcs", args, [], async (client, projectId) =>
        (await client.listVpcs(projectId, tolerant)).map((item) => describeVpc(item, projectId)),
    );
}

/** {@link getVpcs} of values that may be outputs. */
export function getVpcsOutput(args: Args<ProjectArgs> = {}, options?: LookupOptions): Output<GetVpcResult[]> {
    return later(getVpcs, args, options);
}

/** One VPC: `GET …/vpcs/{id}`. One that is not there is an `ApiError` with status 404. */
export function getVpc(args: GetVpcArgs): Promise<GetVpcResult> {
    return lookInProject("getVpc", args, ["vpcId"], async (client, projectId) =>
        describeVpc(await client.getVpc(projectId, args.vpcId), projectId),
    );
}

/** {@link getVpc} of values that may be outputs. */
export function getVpcOutput(args: Args<GetVpcArgs>, options?: LookupOptions): Output<GetVpcResult> {
    return later(getVpc, args, options);
}

/** All peerings of a VPC: `GET …/vpcs/{id}/peerings`. */
export function getPeerings(args: GetPeeringsArgs): Promise<GetPeeringResult[]> {
    return lookInProject("getPeerings", args, ["vpcId"], async (client, projectId) =>
        (await client.listPeerings(projectId, args.vpcId, tolerant)).map((item) =>
            describePeering(item, projectId, args.vpcId),
        ),
    );
}

/** {@link getPeerings} of values that may be outputs. */
export function getPeeringsOutput(args: Args<GetPeeringsArgs>, options?: LookupOptions): Output<GetPeeringResult[]> {
    return later(getPeerings, args, options);
}

/** One peering: `GET …/vpcs/{id}/peerings/{id}`. One that is not there is an `ApiError` with status 404. */
export function getPeering(args: GetPeeringArgs): Promise<GetPeeringResult> {
    return lookInProject("getPeering", args, ["vpcId", "peeringId"], async (client, projectId) =>
        describePeering(await client.getPeering(projectId, args.vpcId, args.peeringId), projectId, args.vpcId),
    );
}

/** {@link getPeering} of values that may be outputs. */
export function getPeeringOutput(args: Args<GetPeeringArgs>, options?: LookupOptions): Output<GetPeeringResult> {
    return later(getPeering, args, options);
}

function describeVpc(item: Vpc, projectId: string): GetVpcResult {
    return { projectId, ...vpc.observe(item, vpc.pathOf(projectId, item.id)) };
}

function describePeering(item: Peering, projectId: string, vpcId: string): GetPeeringResult {
    return { projectId, ...peering.observe(item, peering.pathOf(projectId, `${vpcId}/${item.id}`)) };
}
