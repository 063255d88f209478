import * as pulumi from "@pulumi/pulumi";
import { createUrn } from "@pulumi/pulumi/resource";

/** The part of Pulumi's resources that its public types leave out. */
interface Registered {
    readonly __aliases?: readonly pulumi.Output<string>[];
    readonly __name?: string;
    readonly __pulumiType?: string;
    readonly __parentResource?: pulumi.Resource;
}

/** A resource type and a resource name, before or after a rename. */
interface Named {
    readonly type: string;
    readonly name: string;
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
            names.map((one) => below(parentUrn, one, (parent as Registered).__name ?? "")),
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
        ...inherited.map(async (urn) => below(await urn, { type, name }, (parent as Registered).__name ?? "")),
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

/**
 * The URN of a child below a former URN of its parent. A child whose name begins with its parent's name is renamed with
 * it.
 */
function below(parentUrn: string, { type, name }: Named, parentName: string): string {
    const end = parentUrn.lastIndexOf("::");
    const formerName = parentUrn.slice(end + 2);
    const own = parentName !== "" && name.startsWith(parentName) ? formerName + name.slice(parentName.length) : name;
    return `${parentUrn.slice(0, end)}$${type}::${own}`;
}

function lastOf(urn: string): Named {
    const [, , types = "", ...name] = urn.split("::");
    return { type: types.slice(types.lastIndexOf("$") + 1), name: name.join("::") };
}

function valueOf(output: pulumi.Output<string>): Promise<string> {
    return new Promise((resolve) => {
        output.apply(resolve);
    });
}
