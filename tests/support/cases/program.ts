import type { CustomResource } from "@pulumi/pulumi";
import { resourceTypes, type ResourceType } from "../../../provider/resources";
import type * as sdk from "../../../sdk/nodejs";
import { untypedKinds } from ".";
import { symbols } from "./kind";
import type { Refs } from "./property";

// A program with one resource of each kind, each of which refers to those before it.

/** The references to one resource of each kind. */
export function refsTo<Id>(ids: Partial<Record<ResourceType, Id>>): Refs {
    const twice = (id: Id | undefined) => [id, id];
    const ofParent = (id: Id | undefined) => twice((typeof id === "string" ? id.split("/").at(-1) : id) as Id);
    return {
        ...symbols,
        vpcs: twice(ids.Vpc),
        peerings: ofParent(ids.Peering),
        services: twice(ids.Service),
        sets: ofParent(ids.ReadReplicaSet),
    } as unknown as Refs;
}

type Made = { readonly [Type in ResourceType]: InstanceType<(typeof sdk)[Type]> };

/** Declares it with the classes of a host. */
export function declareAll(classes: Pick<typeof sdk, ResourceType>): Made {
    const made: Partial<Record<ResourceType, CustomResource>> = {};
    const ids: Partial<Record<ResourceType, unknown>> = {};
    for (const type of resourceTypes) {
        const { name, inputs } = untypedKinds[type];
        const resource = new classes[type](name, inputs(refsTo(ids), 0) as never);
        made[type] = resource;
        ids[type] = "peeringId" in resource ? resource.peeringId : resource.id;
    }
    return made as Made;
}
