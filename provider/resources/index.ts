import type { Resource } from "../model/resource";
import { peering } from "./peering";
import { peeringActivation } from "./peeringActivation";
import { readReplicaSet } from "./readReplicaSet";
import { service } from "./service/service";
import { vpc } from "./vpc";

/**
 * The name of a resource type in programs. It is not derived from `resources`, because the public types use it: they would
 * contain the whole provider, with types of packages that are not installed with this one.
 */
export type ResourceType = "Vpc" | "Peering" | "PeeringActivation" | "Service" | "ReadReplicaSet";

/**
 * All kinds of resources. They are in an order in which resources can be created, so that the reverse is an order in which
 * they can be deleted.
 */
export const resources = {
    Vpc: vpc,
    Peering: peering,
    PeeringActivation: peeringActivation,
    Service: service,
    ReadReplicaSet: readReplicaSet,
} as const satisfies Readonly<Record<ResourceType, unknown>>;

/** The kinds, for code that handles all alike and passes to each only values of its own. */
export const untypedResources = resources as unknown as Readonly<Record<ResourceType, Resource>>;

export const resourceTypes = Object.keys(resources) as readonly ResourceType[];

/** All kinds of resources, without their names. */
export const kinds = Object.values(untypedResources);
