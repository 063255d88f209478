import * as pulumi from "@pulumi/pulumi";
import { createUrn } from "@pulumi/pulumi/resource";
import { lastOf, urnBelow, type Named } from "../../provider/inputs/names";

/** The part of Pulumi's resources that its public types leave out. */
interface Registered {
    readonly __aliases?: readonly pulumi.Output<string>[];
    readonly __name?: string;
    readonly __pulumiType?: string;
    readonly __parentResource?: pulumi.Resource;
}

/**
 * The URNs under which the state may have a resource: those of its own aliases, and those that follow from the aliases
 * of its parents. Undefined if there are none. It is a promise for the same reason as `urnOf`.
 */
export function formerUrns(
    { type, name }: Named,
    { aliases = [], parent }: pulumi.CustomResourceOptions,
): Promise<string[]> | undefined {
    const own = aliases.map((alias) => collapse(alias, { type, name }, parent));
    const parents = parent === undefined ? [] : urnsOf(parent);
    if (own.length + parents.length === 0) {
        return undefined;
    }
    return (async () => {
        const urns = await Promise.all(own);
        const names = [{ type, name }, ...urns.map(lastOf)];
        const inherited = (await Promise.all(parents)).flatMap((parentUrn) =>
            names.map((one) => urnBelow(parentUrn, one, (parent as Registered).__name ?? "")),
        );
        return [...new Set([...urns, ...inherited])];
    })();
}

/** The former URNs of a parent: of its own aliases, and those that follow from the aliases of its parents. */
function urnsOf(resource: pulumi.Resource & Registered): Promise<string>[] {
    const { __aliases: own = [], __name: name = "", __pulumiType: type = "", __parentResource: parent } = resource;
    const inherited = parent === undefined ? [] : urnsOf(parent);
    return [
        ...own.map(valueOf),
        ...inherited.map(async (urn) => urnBelow(await urn, { type, name }, (parent as Registered).__name ?? "")),
    ];
}

function collapse(
    alias: pulumi.Input<pulumi.URN | pulumi.Alias>,
    { type, name }: Named,
    parent: pulumi.Resource | undefined,
): Promise<string> {
    const urn = pulumi.output(alias).apply((given): pulumi.Output<string> => {
        const one = given as string | pulumi.Alias;
        if (typeof one === "string") {
            return pulumi.output(one);
        }
        const own = "parent" in one ? one.parent : parent;
        return createUrn(one.name ?? name, one.type ?? type, own, one.project as string, one.stack as string);
    });
    return valueOf(urn);
}

function valueOf(output: pulumi.Output<string>): Promise<string> {
    return new Promise((resolve) => {
        output.apply(resolve);
    });
}
