// The types that programs use, with both hosts.

export type { Size } from "../../provider/inputs/size";
export type { VpcArgs } from "./vpc";
export type { PeeringArgs } from "./peering";
export type { PeeringActivationArgs } from "./peeringActivation";
export type { Fork, ServiceArgs } from "./service";
export type { ReadReplicaSetArgs } from "./readReplicaSet";
export type { ProductionDatabaseArgs, ReadReplicaArgs } from "./productionDatabase";
