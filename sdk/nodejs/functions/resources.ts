import * as pulumi from "@pulumi/pulumi";

// What each version of Pulumi's SDK has and uses for its own functions, but does not declare in its public types.

interface OutputInternals {
    /** Absent in outputs of old versions of the SDK. */
    readonly allResources?: () => Promise<Iterable<pulumi.Resource>>;
}

interface ResourceInternals {
    readonly __childResources?: Iterable<pulumi.Resource>;
    /** Settles when a component has been constructed. */
    readonly __data?: Promise<unknown>;
}

/** The resources that an output depends on. */
export async function resourcesBehind(output: pulumi.Output<unknown>): Promise<pulumi.Resource[]> {
    return [...((await (output as OutputInternals).allResources?.()) ?? [])];
}

/** Resources, and the children of those that are components. */
export async function withChildren(resources: Iterable<pulumi.Resource>): Promise<pulumi.Resource[]> {
    const families = [...resources].map(async (one) => {
        if (!pulumi.ComponentResource.isInstance(one)) {
            return [one];
        }
        const component = one as ResourceInternals;
        await component.__data;
        return [one, ...(await withChildren(component.__childResources ?? []))];
    });
    return (await Promise.all(families)).flat();
}
