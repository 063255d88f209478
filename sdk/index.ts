export { Vpc, type VpcArgs } from "./vpc";
export { Peering, type PeeringArgs } from "./peering";
export { PeeringActivation, type PeeringActivationArgs } from "./peeringActivation";
export { Service, type ServiceArgs } from "./service";
export { ReadReplicaSet, type ReadReplicaSetArgs } from "./readReplicaSet";
