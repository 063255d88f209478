import { Lifecycle } from "../lifecycle/lifecycle";
import { peering } from "./peering";
import { peeringActivation } from "./peeringActivation";
import { readReplicaSet } from "./readReplicaSet";
import { service } from "./service/service";
import { vpc } from "./vpc";

/** The lifecycle of each resource type, by its name in programs. */
export const lifecycles = {
    Vpc: new Lifecycle(vpc),
    Peering: new Lifecycle(peering),
    PeeringActivation: new Lifecycle(peeringActivation),
    Service: new Lifecycle(service),
    ReadReplicaSet: new Lifecycle(readReplicaSet),
} as const;

export type ResourceType = keyof typeof lifecycles;
