import type { Peering, Vpc } from "../api/contract";
import { peering, type PeeringObserved } from "../resources/peering";
import { vpc, type VpcObserved } from "../resources/vpc";
import { defineFunction, listOptions, projectOf, readOptionsOf, type InProject, type ProjectArgs } from "./function";

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

export const getVpcs = defineFunction<ProjectArgs, GetVpcResult[]>({
    required: [],
    list: "vpcs",
    run: async (args, context) => {
        const projectId = projectOf(args, context);
        const items = await context.client.listVpcs(projectId, listOptions(context));
        return items.map((item) => describeVpc(item, projectId));
    },
});

export const getVpc = defineFunction<GetVpcArgs, GetVpcResult>({
    required: ["vpcId"],
    run: async (args, context) => {
        const projectId = projectOf(args, context);
        return describeVpc(await context.client.getVpc(projectId, args.vpcId, readOptionsOf(context)), projectId);
    },
});

export const getPeerings = defineFunction<GetPeeringsArgs, GetPeeringResult[]>({
    required: ["vpcId"],
    list: "peerings",
    run: async (args, context) => {
        const projectId = projectOf(args, context);
        const items = await context.client.listPeerings(projectId, args.vpcId, listOptions(context));
        return items.map((item) => describePeering(item, projectId, args.vpcId));
    },
});

export const getPeering = defineFunction<GetPeeringArgs, GetPeeringResult>({
    required: ["vpcId", "peeringId"],
    run: async (args, context) => {
        const { vpcId, peeringId } = args;
        const projectId = projectOf(args, context);
        const item = await context.client.getPeering(projectId, vpcId, peeringId, readOptionsOf(context));
        return describePeering(item, projectId, vpcId);
    },
});

function describeVpc(item: Vpc, projectId: string): GetVpcResult {
    return { projectId, ...vpc.state.observe(item, vpc.identity.pathOf(projectId, item.id)) };
}

function describePeering(item: Peering, projectId: string, vpcId: string): GetPeeringResult {
    return { projectId, ...peering.state.observe(item, peering.identity.pathOf(projectId, `${vpcId}/${item.id}`)) };
}
