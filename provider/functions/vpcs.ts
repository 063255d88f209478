import type { Peering, Vpc, VpcPath } from "../api/contract";
import { peering, type PeeringObserved } from "../resources/peering";
import { vpc, type VpcObserved } from "../resources/vpc";
import { defineFunction, listOptions, projectOf, readOptionsOf, type InProject, type ProjectArgs } from "./function";

/** A VPC. The properties have the same names as the outputs of `Vpc`. */
export type GetVpcResult = VpcObserved & InProject;

/** A peering. The properties have the same names as the outputs of `Peering`. */
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
        const path = { project_id: projectId };
        const items = await context.client.call("listVpcs", { path }, listOptions(context));
        return items.map((item) => resultOfVpc(item, projectId));
    },
});

export const getVpc = defineFunction<GetVpcArgs, GetVpcResult>({
    required: ["vpcId"],
    run: async (args, context) => {
        const projectId = projectOf(args, context);
        const path = { project_id: projectId, vpc_id: args.vpcId };
        return resultOfVpc(await context.client.call("getVpc", { path }, readOptionsOf(context)), projectId);
    },
});

export const getPeerings = defineFunction<GetPeeringsArgs, GetPeeringResult[]>({
    required: ["vpcId"],
    list: "peerings",
    run: async (args, context) => {
        const projectId = projectOf(args, context);
        const path = { project_id: projectId, vpc_id: args.vpcId };
        const items = await context.client.call("listPeerings", { path }, listOptions(context));
        return items.map((item) => resultOfPeering(item, path));
    },
});

export const getPeering = defineFunction<GetPeeringArgs, GetPeeringResult>({
    required: ["vpcId", "peeringId"],
    run: async (args, context) => {
        const path = { project_id: projectOf(args, context), vpc_id: args.vpcId, peering_id: args.peeringId };
        const item = await context.client.call("getPeering", { path }, readOptionsOf(context));
        return resultOfPeering(item, path);
    },
});

function resultOfVpc(item: Vpc, projectId: string): GetVpcResult {
    return { projectId, ...vpc.observation.observe(item, vpc.identity.pathOf(projectId, item.id)) };
}

function resultOfPeering(item: Peering, path: VpcPath): GetPeeringResult {
    return { projectId: path.project_id, ...peering.observation.observe(item, path) };
}
