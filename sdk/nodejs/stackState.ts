import * as pulumi from "@pulumi/pulumi";
import { withoutStack } from "./functions/plainError";
import { valueOf } from "../../provider/inputs/fields";
import { importChanged } from "../../provider/lifecycle/errors";
import { isProtected } from "../../provider/lifecycle/protection";
import type { StateMetadata } from "../../provider/lifecycle/resource";
import type { InState } from "../../provider/lifecycle/run";
import { untypedLifecycles, type ResourceType } from "../../provider/resources/index";

/** The outputs that form the id of a resource, in order. */
const idOutputs: Readonly<Record<ResourceType, readonly string[]>> = {
    Vpc: ["vpcId"],
    Peering: ["vpcId", "peeringId"],
    PeeringActivation: ["vpcId", "peeringId"],
    Service: ["serviceId"],
    ReadReplicaSet: ["serviceId", "replicaSetId"],
};

/**
 * Fails if the `import` option of a resource names another id than the state. The engine replaces the resource in the
 * state before it asks the provider, so only the program can refuse this in a preview.
 */
export async function assertSameImport(type: ResourceType, urn: string, importedId: string): Promise<void> {
    const outputs = await outputsOf(urn);
    const id = idIn(type, outputs);
    // Pulumi does not delete a resource that no run has updated since its import.
    const isOnlyImported = valueOf(outputs, "__imported") === true;
    if (id !== undefined && id !== importedId && !isOnlyImported) {
        throw withoutStack(importChanged(untypedLifecycles[type].resource.noun, id, importedId));
    }
}

/** What decides about the replacement of the resource with this URN. Undefined if the state has none that a run manages. */
export async function entryOf(type: ResourceType, urn: string): Promise<InState | undefined> {
    const outputs = await outputsOf(urn);
    const id = idIn(type, outputs);
    const isManaged = (valueOf(outputs, "__declared") as readonly unknown[] | undefined)?.length;
    return id === undefined || !isManaged
        ? undefined
        : { id, isProtected: isProtected(untypedLifecycles[type].resource, outputs as Partial<StateMetadata>) };
}

async function outputsOf(urn: string): Promise<object> {
    return (await stateOfStack())[urn]?.outputs ?? {};
}

function idIn(type: ResourceType, outputs: object): string | undefined {
    const parts = idOutputs[type].map((name) => valueOf(outputs, name));
    return parts.every((part) => typeof part === "string") ? parts.join("/") : undefined;
}

/** The outputs of all resources in the state, by URN. */
type StackState = Readonly<Record<string, { readonly outputs: object } | undefined>>;

/** One read for each run of a program, of which a process of the Automation API has several. */
const states = new WeakMap<object, Promise<StackState>>();

function stateOfStack(): Promise<StackState> {
    const run = pulumi.runtime.getMonitor() ?? states;
    const known = states.get(run) ?? readState();
    states.set(run, known);
    return known;
}

/** The state of this stack, or an empty one if it cannot be read. */
async function readState(): Promise<StackState> {
    try {
        const stackName = [pulumi.getOrganization(), pulumi.getProject(), pulumi.getStack()].join("/");
        const read: unknown = await pulumi.runtime.invoke("pulumi:pulumi:readStackResourceOutputs", { stackName });
        return (read as { readonly outputs?: StackState }).outputs ?? {};
    } catch {
        return {};
    }
}
