import * as pulumi from "@pulumi/pulumi";
import * as state from "@pulumi/pulumi/runtime/state";
import { promiseOf } from "./promise";
import { valueOf } from "../../provider/inputs/fields";
import { factFiles, type RunFacts } from "../../provider/ownership/runFacts";
import { announcement } from "../../provider/ownership/table";
import type { ResourceType } from "../../provider/resources/index";

/** The part of Pulumi's settings that its public types leave out. Each run of an inline program has a store of its own. */
interface Store {
    readonly settings: { readonly options: { readonly engineAddr?: string } };
}

/**
 * The run of a process that the engine has started for it, with its address as an argument: a program, or a provider of
 * components, in which Pulumi uses a store for each component. It ends with the process.
 */
let ofOnlyRun: RunFacts | undefined;

/**
 * The last run at each address of an engine, in a process with many runs, such as a program of the Automation API. A later
 * engine can have the same address.
 */
const runs = new Map<string, { readonly store: WeakRef<Store>; readonly facts: RunFacts }>();

/** Ends the runs of a program process that has many, once Pulumi has dropped them. */
const dropped = new FinalizationRegistry<string>((address) => {
    const run = runs.get(address);
    if (run !== undefined && run.store.deref() === undefined) {
        run.facts.end?.();
        runs.delete(address);
    }
});

/** What the program shares with the providers of the run; undefined without an engine. */
function factsOfRun(): RunFacts | undefined {
    const store = (state as unknown as { getStore: () => Store }).getStore();
    const { engineAddr: address } = store.settings.options;
    return address ? factsOf(store, address) : undefined;
}

function factsOf(store: Store, address: string): RunFacts {
    if (process.argv.includes(address)) {
        return (ofOnlyRun ??= factFiles(address));
    }
    const last = runs.get(address);
    if (last?.store.deref() === store) {
        return last.facts;
    }
    last?.facts.end?.();
    const facts = factFiles(address);
    runs.set(address, { store: new WeakRef(store), facts });
    dropped.register(store, address);
    return facts;
}

/**
 * Tells the providers of the run that the program will declare a resource, before the engine knows it: if the engine replaces
 * another one first, it can delete this one together with that. Returns the URN.
 */
export async function announceConstruction(constructed: Promise<string>): Promise<string> {
    const facts = pulumi.runtime.isDryRun() ? undefined : factsOfRun();
    const urn = await constructed;
    facts?.publish({ urn, isRegistering: true });
    return urn;
}

/**
 * Tells the providers of the run which resource the program declares. With `--target` and `--exclude`, the engine calls no
 * provider for a resource that is left out, and can delete an old entry of the same database in the same run. A preview
 * deletes nothing.
 */
export function announce(
    type: ResourceType,
    resource: pulumi.CustomResource,
    args: object,
    /** Its URN unless a transformation has changed its parent. */
    constructed: Promise<string>,
    formerUrns: Promise<string[] | undefined> | undefined,
): void {
    const facts = pulumi.runtime.isDryRun() ? undefined : factsOfRun();
    if (facts === undefined) {
        return;
    }
    resource.urn.apply(async (urn) => {
        const announces = announcement({
            type,
            // Not known if the run leaves out the creation.
            id: await known(resource.id),
            aliases: [...((await formerUrns) ?? []), ...(await recordedUrns(resource))],
            existingId: await known(valueOf(args, "existingId")),
            projectId: await known(valueOf(args, "projectId")),
            allowReplace: await known(valueOf(args, "allowReplace")),
        });
        facts.publish({ urn: await constructed, isRegistering: false });
        facts.publish({ urn, announces });
    });
}

/** Tells the plugin that the import of a resource is only previewed, because its protocol does not. */
export function announcePreview(urn: string): void {
    if (pulumi.runtime.isDryRun()) {
        factsOfRun()?.publish({ urn, isPreview: true });
    }
}

/** The URNs of the resource in the state. For one that the run leaves out, only the program receives them. */
async function recordedUrns(resource: object): Promise<readonly string[]> {
    const values = [await known(valueOf(resource, "__urn")), await known(valueOf(resource, "__formerUrns"))];
    return values.flat().filter((value) => typeof value === "string");
}

/** The value of an input; undefined if it is not known. */
function known(input: unknown): Promise<unknown> {
    return promiseOf(pulumi.output(input));
}
