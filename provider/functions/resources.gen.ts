// Generated from provider/resources by `npm run generate`.

import { vpc } from "../../provider/resources/vpc";
import { peering } from "../../provider/resources/peering";
import { readReplicaSet } from "../../provider/resources/readReplicaSet";
import { getServices } from "../../provider/functions/service";
import { getService } from "../../provider/functions/service";
import type { VpcObserved } from "../../provider/resources/vpc";
import type { PeeringObserved } from "../../provider/resources/peering";
import type { ReadReplicaSetObserved } from "../../provider/resources/readReplicaSet";
import type { InProject, ProjectArgs, ProviderFunction } from "./function";
import { getFunction, listFunction } from "./resources";

/** A VPC. The properties have the same names as the outputs of `Vpc`. */
export type GetVpcResult = VpcObserved & InProject;

/** A peering. The properties have the same names as the outputs of `Peering`. */
export type GetPeeringResult = PeeringObserved & InProject;

/** A read replica set. The properties have the same names as the outputs of `ReadReplicaSet`. */
export type GetReadReplicaSetResult = ReadReplicaSetObserved & InProject;

/** Returns all VPCs of a project. */
export const getVpcs: ProviderFunction<ProjectArgs, GetVpcResult[]> = listFunction(vpc, "vpcs");

/** The arguments of {@link getVpc}. */
export interface GetVpcArgs extends ProjectArgs {
    /** The id of the VPC. */
    vpcId: string;
}

/** Returns one VPC. Fails with status 404 if it does not exist. */
export const getVpc: ProviderFunction<GetVpcArgs, GetVpcResult> = getFunction(vpc);

/** The arguments of {@link getPeerings}. */
export interface GetPeeringsArgs extends ProjectArgs {
    /** The id of the VPC whose peerings are returned. */
    vpcId: string;
}

/** Returns all peerings of a VPC. Fails with status 404 if the VPC does not exist. */
export const getPeerings: ProviderFunction<GetPeeringsArgs, GetPeeringResult[]> = listFunction(peering, "peerings");

/** The arguments of {@link getPeering}. */
export interface GetPeeringArgs extends ProjectArgs {
    /** The id of the VPC that contains the peering. */
    vpcId: string;
    /** The id of the peering within the VPC. */
    peeringId: string;
}

/** Returns one peering. Fails with status 404 if it does not exist. */
export const getPeering: ProviderFunction<GetPeeringArgs, GetPeeringResult> = getFunction(peering);

/** The arguments of {@link getReadReplicaSets}. */
export interface GetReadReplicaSetsArgs extends ProjectArgs {
    /** The id of the service whose read replica sets are returned. */
    serviceId: string;
}

/** Returns all read replica sets of a service. Fails with status 404 if the service does not exist. */
export const getReadReplicaSets: ProviderFunction<GetReadReplicaSetsArgs, GetReadReplicaSetResult[]> = listFunction(
    readReplicaSet,
    "readReplicaSets",
);

/** The functions of all kinds. */
export const kindFunctions = { getVpcs, getVpc, getPeerings, getPeering, getServices, getService, getReadReplicaSets };
