export { Vpc, type VpcArgs } from "./vpc";
export { Peering, type PeeringArgs } from "./peering";
export { Service, type ServiceArgs } from "./service";
export { ReadReplicaSet, type ReadReplicaSetArgs } from "./readReplicaSet";
