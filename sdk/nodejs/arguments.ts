// The types that programs use, with both hosts.

export type { Fork } from "../../provider/resources/service/service";
export type { Size } from "../../provider/inputs/size";
export type { VpcArgs } from "./vpc";
export type { PeeringArgs } from "./peering";
export type { PeeringActivationArgs } from "./peeringActivation";
export type { ServiceArgs } from "./service";
export type { ReadReplicaSetArgs } from "./readReplicaSet";
export type { ProductionDatabaseArgs, ReadReplicaArgs } from "./productionDatabase";
