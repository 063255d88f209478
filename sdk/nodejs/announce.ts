import * as pulumi from "@pulumi/pulumi";
import * as state from "@pulumi/pulumi/runtime/state";
import { factFiles, type RunFacts } from "../../provider/ownership/runFacts";
import { announcement } from "../../provider/ownership/table";
import type { ResourceType } from "../../provider/resources/index";

/** The part of Pulumi's settings that its public types leave out. */
type Settings = typeof state & {
    readonly getStore: () => { readonly settings: { readonly options: { readonly engineAddr?: string } } };
};

/** The facts of each run of this process, by the address of its engine. */
const runs = new Map<string, RunFacts>();

/**
 * Tells the providers of the run which resource the program adopts. With `--exclude`, the engine does not call the provider
 * for the new resource, and deletes the old entry of the same database in the same run. A preview deletes nothing.
 */
export function announceAdoption(
    type: ResourceType,
    urn: pulumi.Output<string>,
    existingId: pulumi.Input<unknown>,
    projectId: pulumi.Input<unknown>,
): void {
    const address = (state as Settings).getStore().settings.options.engineAddr;
    if (!address || pulumi.runtime.isDryRun()) {
        return;
    }
    const facts = runs.get(address) ?? factFiles(address);
    runs.set(address, facts);
    pulumi.all([urn, existingId, projectId]).apply(([key, id, project]) => {
        facts.publish({ urn: key, announces: announcement(type, id, project) });
    });
}
