import type * as pulumi from "@pulumi/pulumi";
import { createUrn } from "@pulumi/pulumi/resource";
import { promiseOf } from "./promise";
import { lastOf, urnBelow } from "../../provider/inputs/names";

/** The part of Pulumi's resources that its public types leave out. */
interface Registered {
    readonly __aliases?: readonly pulumi.Output<string>[];
    readonly __name?: string;
    readonly __pulumiType?: string;
    readonly __parentResource?: pulumi.Resource;
}

/**
 * The URNs under which the state may have a constructed resource, apart from the alias that its class adds for the other
 * host. Undefined if there are none. Only Pulumi's constructor runs the transformations, which can add aliases.
 */
export async function formerUrnsOf(resource: pulumi.Resource, otherType: string): Promise<string[] | undefined> {
    const { __name: name = "", __parentResource: parent } = resource as Registered;
    const urns = await urnsOf(resource, await promiseOf(createUrn(name, otherType, parent)));
    return urns.length === 0 ? undefined : urns;
}

/** The former URNs of a resource: of its own aliases but one, and those that follow from the aliases of its parents. */
async function urnsOf(resource: pulumi.Resource, except?: string): Promise<string[]> {
    const {
        __aliases: aliases = [],
        __name: name = "",
        __pulumiType: type = "",
        __parentResource: parent,
    } = resource as Registered;
    const own = (await Promise.all(aliases.map(promiseOf))).filter((urn) => urn !== except);
    if (parent === undefined) {
        return own;
    }
    const { __name: parentName = "" } = parent as Registered;
    const names = [{ type, name }, ...own.map(lastOf)];
    const inherited = (await urnsOf(parent)).flatMap((urn) => names.map((one) => urnBelow(urn, one, parentName)));
    return [...new Set([...own, ...inherited])];
}
