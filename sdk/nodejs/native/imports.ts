import * as pulumi from "@pulumi/pulumi";
import { valueOf } from "../../../provider/inputs/fields";
import { importChanged } from "../../../provider/lifecycle/errors";
import { keepsLastCopy } from "../../../provider/lifecycle/protection";
import { untypedLifecycles, type ResourceType } from "../../../provider/resources/index";
import { withoutStack } from "../lookups/plainError";

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
export async function assertSameImport(
    type: ResourceType,
    urn: string,
    args: object,
    importedId: string,
): Promise<void> {
    const outputs = (await stateOfStack())[urn]?.outputs ?? {};
    const parts = idOutputs[type].map((name) => valueOf(outputs, name));
    const id = parts.join("/");
    if (!parts.every((part) => typeof part === "string") || id === importedId) {
        return;
    }
    // Pulumi does not delete a resource that no run has updated since its import.
    const isOnlyImported = valueOf(outputs, "__imported") === true;
    const allowReplace = valueOf(args, "allowReplace");
    if (!isOnlyImported && allowReplace !== true && !pulumi.Output.isInstance(allowReplace)) {
        const { resource } = untypedLifecycles[type];
        throw withoutStack(importChanged(resource, id, importedId, keepsLastCopy(resource, outputs as never)));
    }
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
