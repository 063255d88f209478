import * as pulumi from "@pulumi/pulumi";
import * as state from "@pulumi/pulumi/runtime/state";
import { promiseOf } from "./promise";
import { valueOf } from "../../provider/inputs/fields";
import { uniqueId } from "../../provider/api/random";
import { whenGone } from "../../provider/hosts/presence";
import { factFiles, type RunFacts } from "../../provider/ownership/runFacts";
import { announcement } from "../../provider/ownership/table";
import type { ResourceType } from "../../provider/resources/index";

/**
 * The part of Pulumi's settings that its public types leave out. Each run of an inline program, and each construction of a
 * component in a provider process, has a store of its own.
 */
interface Store {
    readonly settings: { readonly options: { readonly engineAddr?: string } };
}

/** The runs of this process, by the address of the engine. A program of the Automation API can have many. */
const runs = new Map<string, RunFacts>();

/** A program does not wait for the end of its engine. */
const background = { sleep: (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref()) };

/** What the program shares with the providers of the run; undefined without an engine. */
function factsOfRun(): RunFacts | undefined {
    const { engineAddr: address } = (state as unknown as { getStore: () => Store }).getStore().settings.options;
    return address ? (runs.get(address) ?? begin(address)) : undefined;
}

/** The facts of a new run. They end with its engine, because a later one can have the same address. */
function begin(address: string): RunFacts {
    const facts = factFiles(address);
    runs.set(address, facts);
    void whenGone(address, background).then(() => {
        runs.delete(address);
        facts.end?.();
    });
    return facts;
}

/**
 * Tells the providers of the run that the program will declare a resource with this name, before its URN is known: if the engine
 * replaces another one first, it can delete this one together with that. Returns a function that ends this.
 */
export function announceConstruction(name: string): () => void {
    const facts = pulumi.runtime.isDryRun() ? undefined : factsOfRun();
    const urn = `constructed::${uniqueId()}::resource::${name}`;
    facts?.publish({ urn, isRegistering: true });
    return () => facts?.publish({ urn, isRegistering: false });
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
    /** Called when the engine has registered the resource. */
    onRegistered: () => void,
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
        onRegistered();
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
