import * as pulumi from "@pulumi/pulumi";
import { createUrn } from "@pulumi/pulumi/resource";
import type { Deletable, OtherEntry } from "../../provider/contract/resource";
import { outputsWhere } from "../../provider/contract/outputs";
import { adoptedId } from "../../provider/contract/path";
import { valueOf } from "../../provider/inputs/fields";
import { untypedResources, type ResourceType } from "../../provider/resources/index";
import { promiseOf } from "./promise";

/** A resource that a program registers: its type on its host, and on the other one. */
export interface Registered {
    readonly name: string;
    readonly types: readonly [string, string];
    readonly parent: pulumi.Resource | undefined;
    /** The URNs that it may have had before, also because of the aliases of its parents. Known once it is constructed. */
    readonly aliases: () => readonly pulumi.Input<pulumi.URN>[];
}

/** An entry of the state, by its URN. */
type Entries = Readonly<Record<string, { readonly type: string; readonly outputs: Readonly<Record<string, unknown>> }>>;

/**
 * Another entry of the stack, of a type of either host, with the id that `existingId` names. An adoption would give the resource
 * two entries, of which the old one may permit its deletion. Undefined if no other entry has it, and without `existingId`.
 */
export function managerInStack(
    type: ResourceType,
    args: object,
    registered: Registered,
): pulumi.Output<OtherEntry | undefined> | undefined {
    const resource = untypedResources[type];
    const existing = valueOf(args, "existingId");
    if (existing === undefined) {
        return undefined;
    }
    const ofParent = resource.parent === undefined ? [] : [resource.parent.input];
    const names = [...ofParent, ...outputsWhere(resource.outputs, ({ fromId }) => fromId)];
    const given = Object.fromEntries(ofParent.map((name) => [name, valueOf(args, name)]));
    return (pulumi.output([existing, given]) as pulumi.Output<[unknown, object]>).apply(
        async ([existingId, inputs]) => {
            if (typeof existingId !== "string") {
                return undefined;
            }
            const id = adoptedId(resource, existingId, inputs).split("/");
            return entryWith(Object.fromEntries(names.map((name, index) => [name, id[index]])), registered);
        },
    );
}

/** An entry with these outputs that is not the one of the resource. */
async function entryWith(
    outputsOfId: Entries[string]["outputs"],
    registered: Registered,
): Promise<OtherEntry | undefined> {
    const { types } = registered;
    const urns = await urnsOf(registered);
    const [other] = Object.entries(await stackState()).filter(
        ([urn, { type, outputs }]) =>
            types.includes(type) &&
            Object.entries(outputsOfId).every(([output, value]) => outputs[output] === value) &&
            isManaged(outputs) &&
            (type !== types[0] || !urns.includes(urn)),
    );
    return other && { urn: other[0], isAlias: urns.includes(other[0]) };
}

/** What the state says about the deletion of a resource. Undefined if the resource is not in the state. */
export async function deletableInStack(registered: Registered): Promise<Deletable | undefined> {
    const entries = await stackState();
    const urn = (await urnsOf(registered)).find((one) => entries[one] !== undefined);
    const outputs = entries[urn ?? ""]?.outputs;
    if (urn === undefined || outputs === undefined || !isManaged(outputs)) {
        return undefined;
    }
    const { deletionProtection, finalFork, __interrupted } = outputs as Partial<Deletable>;
    return { urn, deletionProtection, finalFork, __interrupted };
}

/** The URNs that a resource has or may have had, on both hosts. */
async function urnsOf(registered: Registered): Promise<readonly pulumi.URN[]> {
    const { name, types, parent } = registered;
    const own = types.map((type) => createUrn(name, type, parent));
    return [...(await promiseOf(pulumi.all(own))), ...(await formerUrnsOf(registered))];
}

/** The URNs that a resource may have had. Empty if one is not known, or the registration of the resource fails. */
export async function formerUrnsOf({ aliases }: Registered): Promise<pulumi.URN[]> {
    // The constructor of the resource, which calls this, computes them.
    await Promise.resolve();
    try {
        const urns = await promiseOf<pulumi.URN[] | undefined>(pulumi.all([...aliases()]));
        return [...new Set(urns)];
    } catch {
        return [];
    }
}

/** Whether the program manages a resource, and does not only read it with `.get`. */
function isManaged({ __declared: declared, __imported: imported }: Entries[string]["outputs"]): boolean {
    return imported === true || (Array.isArray(declared) && declared.length > 0);
}

const statesOfRuns = new WeakMap<pulumi.Resource, Promise<Entries>>();

/** The state of this stack, which a run reads once. */
function stackState(): Promise<Entries> {
    const run = pulumi.runtime.getStackResource();
    const read = (run && statesOfRuns.get(run)) ?? readState();
    if (run !== undefined) {
        statesOfRuns.set(run, read);
    }
    return read;
}

/** Empty if the state cannot be read, as without a backend. */
async function readState(): Promise<Entries> {
    const stackName = [pulumi.getOrganization(), pulumi.getProject(), pulumi.getStack()].join("/");
    const read: unknown = await pulumi.runtime
        .invoke("pulumi:pulumi:readStackResourceOutputs", { stackName })
        .catch(() => ({}));
    return (read as { readonly outputs?: Entries }).outputs ?? {};
}
