import type { CustomResource } from "@pulumi/pulumi";
import { outputsWhere } from "../../../provider/model/outputs";
import { valueOf } from "../../../provider/base/fields";
import { resourceTypes, untypedResources, type ResourceType } from "../../../provider/resources";
import type * as sdk from "../../../sdk/nodejs";
import { untypedKinds } from ".";
import { symbols } from "./kind";
import type { Refs } from "./property";

// A program with one resource of each kind, each of which refers to those before it.

/** The references to one resource of each kind. */
export function refsTo<Id>(ids: Partial<Record<ResourceType, Id>>): Refs {
    const own = (id: Id) => (typeof id === "string" ? id.split("/").at(-1) : id);
    const pairs = Object.entries<Id>(ids).map(([type, id]) => [type, [own(id), own(id)]] as const);
    return { ...symbols, ...Object.fromEntries(pairs) };
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
        const [ownId = "id"] = outputsWhere(untypedResources[type].outputs, ({ fromId }) => fromId);
        ids[type] = valueOf(resource, ownId);
    }
    return made as Made;
}
