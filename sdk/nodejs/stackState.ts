import * as pulumi from "@pulumi/pulumi";
import { createUrn } from "@pulumi/pulumi/resource";
import { promiseOf } from "./promise";

/** A resource of the program, before its registration: its type on its host, and on the other one. */
export interface Registered {
    readonly name: string;
    readonly types: readonly [string, string];
    readonly opts: pulumi.CustomResourceOptions;
}

/** An entry of the state, by its URN. */
type Entries = Readonly<Record<string, { readonly type: string; readonly outputs: Readonly<Record<string, unknown>> }>>;

/**
 * The URN of another entry of the stack that has this id as an output. An adoption would give the resource two entries, of
 * which the old one may permit its deletion. Undefined with aliases, because the other entry may then be this resource.
 */
export async function managerInStack(
    id: string,
    output: string,
    { name, types, opts }: Registered,
): Promise<string | undefined> {
    if (hasAliases(opts.parent) || (opts.aliases ?? []).length > 0) {
        return undefined;
    }
    const own = await promiseOf(pulumi.all(types.map((type) => createUrn(name, type, opts.parent))));
    const [other] = Object.entries(await stackState()).filter(
        ([urn, { type, outputs }]) =>
            types.includes(type) && outputs[output] === id && isManaged(outputs) && !own.includes(urn),
    );
    return other?.[0];
}

/** Whether the program manages a resource, and does not only read it with `.get`. */
function isManaged({ __declared: declared, __imported: imported }: Entries[string]["outputs"]): boolean {
    return imported === true || (Array.isArray(declared) && declared.length > 0);
}

/** Whether a parent of a resource declares aliases, which its children inherit. */
function hasAliases(parent: pulumi.Resource | undefined): boolean {
    const { __aliases: aliases = [], __parentResource: next } = (parent ?? {}) as {
        readonly __aliases?: readonly unknown[];
        readonly __parentResource?: pulumi.Resource;
    };
    return aliases.length > 0 || (next !== undefined && hasAliases(next));
}

/** The state of this stack. Empty if it cannot be read, as without a backend. */
async function stackState(): Promise<Entries> {
    const stackName = [pulumi.getOrganization(), pulumi.getProject(), pulumi.getStack()].join("/");
    const read: unknown = await pulumi.runtime
        .invoke("pulumi:pulumi:readStackResourceOutputs", { stackName })
        .catch(() => ({}));
    return (read as { readonly outputs?: Entries }).outputs ?? {};
}
