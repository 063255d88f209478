import { Lifecycle } from "../lifecycle/lifecycle";
import type { Kind } from "../lifecycle/resource";
import { peering } from "./peering";
import { peeringActivation } from "./peeringActivation";
import { readReplicaSet } from "./readReplicaSet";
import { service } from "./service/service";
import { vpc } from "./vpc";

/**
 * The name of a resource type in programs. It is not derived from `lifecycles`, because the public types use it: they
 * would contain the whole provider, with types of packages that are not installed with this one.
 */
export type ResourceType = "Vpc" | "Peering" | "PeeringActivation" | "Service" | "ReadReplicaSet";

/**
 * The lifecycle of each resource type. They are in an order in which resources can be created, so that the reverse is
 * an order in which they can be deleted.
 */
export const lifecycles = {
    Vpc: new Lifecycle(vpc),
    Peering: new Lifecycle(peering),
    PeeringActivation: new Lifecycle(peeringActivation),
    Service: new Lifecycle(service),
    ReadReplicaSet: new Lifecycle(readReplicaSet),
} as const satisfies Readonly<Record<ResourceType, unknown>>;

/**
 * The same lifecycles for code that handles all resource types alike, and passes to each only values of its own kind.
 */
export const untypedLifecycles = lifecycles as unknown as Readonly<Record<ResourceType, Lifecycle<Kind>>>;

export const resourceTypes = Object.keys(lifecycles) as readonly ResourceType[];
