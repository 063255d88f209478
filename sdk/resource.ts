import * as pulumi from "@pulumi/pulumi";
import { createUrn } from "@pulumi/pulumi/resource";
import { checkConfig } from "./config";
import { isMocked } from "./mocks";
import { connectionString } from "../provider/resources/connectionString";
import type { ResourceType } from "../provider/resources/index";

/** Inputs as a program gives them: every value may be an output of something else, at any depth. */
export type Args<Inputs> = {
    [Key in keyof Inputs]: pulumi.Input<
        Inputs[Key] extends readonly (infer Item)[] | undefined
            ? pulumi.Input<Item>[]
            : Inputs[Key] extends object | undefined
              ? Args<Inputs[Key]>
              : Inputs[Key]
    >;
};

/** What a resource class hands to `CustomResource`. */
interface Registration {
    readonly props: pulumi.Inputs;
    readonly opts: pulumi.CustomResourceOptions;
}

/** The arguments of a resource class for `CustomResource`: inputs, outputs and what the provider needs. */
export function registration(
    type: ResourceType,
    name: string,
    args: object | undefined,
    opts: pulumi.CustomResourceOptions,
    outputs: readonly string[],
    secretOutputs: readonly string[],
): Registration {
    checkConfig();
    rejectImport(type, name, opts.import);
    return {
        props: {
            ...Object.fromEntries(outputs.map((output) => [output, undefined])),
            ...args,
            // Mocks have no provider, and a unit test compares the arguments with those of the program.
            ...(isMocked() ? {} : hiddenInputs(type, name, args ?? {}, opts, secretOutputs)),
        },
        opts: pulumi.mergeOptions(
            { additionalSecretOutputs: [...secretOutputs] },
            { ...opts, ...protection(args ?? {}, opts) },
        ),
    };
}

/** Rejects Pulumi's `import` option: its host of dynamic providers fails with it, and the message does not help. */
function rejectImport(type: ResourceType, name: string, id: pulumi.ID | undefined): void {
    if (id !== undefined) {
        throw new pulumi.RunError(
            `${type} ${JSON.stringify(name)} cannot be imported: dynamic providers do not support the import option. ` +
                `To adopt the existing resource, set existingId: ${JSON.stringify(id)} instead.`,
        );
    }
}

/**
 * What the provider needs beside the inputs: the few words that find the provider, which are the same on every machine and
 * in every version, so that an upgrade is no change; where its status lines belong; and the time-outs, which the engine
 * does not pass on.
 */
function hiddenInputs(
    type: ResourceType,
    name: string,
    args: object,
    { parent, customTimeouts }: pulumi.CustomResourceOptions,
    secretOutputs: readonly string[],
): pulumi.Inputs {
    return {
        __provider: `exports.handler=()=>require("pulumi-clouddb/provider").${type}`,
        __urn: urnOf(type, name, parent),
        ...(customTimeouts ? { __timeouts: { ...customTimeouts } } : {}),
        __secrets: secretInputs(args, secretOutputs),
        ...(pulumi.runtime.isDryRun() ? { __preview: true } : {}),
    };
}

/**
 * Pulumi's `protect` option for a resource with this `deletionProtection`. The option that the program sets wins, and with
 * `retainOnDelete` a deletion only removes the resource from the state.
 */
export function protection(
    { deletionProtection }: { readonly deletionProtection?: unknown },
    { protect, retainOnDelete }: pulumi.CustomResourceOptions,
): Pick<pulumi.ResourceOptions, "protect"> {
    if (protect !== undefined) {
        return { protect };
    }
    return deletionProtection === true && retainOnDelete !== true ? { protect: true } : {};
}

/**
 * The names of the inputs that the program marked as secret, apart from those that always are; undefined if there are none.
 * Pulumi hands the provider plain values, which the provider has to mark again where it returns them.
 */
async function secretInputs(args: object, always: readonly string[]): Promise<string[] | undefined> {
    const names = await Promise.all(
        Object.entries(args)
            .filter(([name]) => !always.includes(name))
            .map(async ([name, value]) => ((await isSecret(value)) ? [name] : [])),
    );
    return names.flat().length === 0 ? undefined : names.flat();
}

function isSecret(value: unknown): Promise<boolean> {
    // A value that fails is reported by its own input.
    return pulumi.isSecret(pulumi.output(value)).catch(() => false);
}

/**
 * The URN that a resource is going to have, as a promise, which no dependency comes with: as an output it would depend on the
 * parent, and what depends on a component waits for all its children, itself among them.
 */
function urnOf(type: ResourceType, name: string, parent: pulumi.Resource | undefined): Promise<string> {
    return new Promise((resolve) => {
        createUrn(name, typeToken(type), parent).apply(resolve);
    });
}

/** The names of the outputs of a resource that may be absent. */
export type OptionalOutputs<R> = {
    [Key in keyof R & string]: R[Key] extends pulumi.Output<infer Value>
        ? undefined extends Value
            ? Key
            : never
        : never;
}[keyof R & string];

/** The state keeps an absent output as null, so that a preview knows that it is absent; a program gets undefined. */
export function nullsToUndefined(resource: pulumi.Resource, names: readonly string[]): void {
    const outputs = resource as unknown as Record<string, pulumi.Output<unknown> | undefined>;
    for (const name of names) {
        outputs[name] = outputs[name]?.apply((value) => value ?? undefined);
    }
}

/** A `postgres://` URL as a secret output; undefined where there is no such endpoint. */
export function secretUrl(
    host: pulumi.Output<string | undefined>,
    port: pulumi.Output<number | undefined>,
    password: pulumi.Input<string | undefined>,
): pulumi.Output<string | undefined> {
    return pulumi.secret(pulumi.all([host, port, password]).apply((known) => connectionString(...known)));
}

/** The type as it is in the state. */
export function typeToken(type: ResourceType): string {
    return `pulumi-nodejs:dynamic/clouddb:${type}`;
}

/** Marks a value as secret where there is one, so that it is encrypted wherever Pulumi keeps it. */
export function asSecret<T>(value: pulumi.Input<T> | undefined): pulumi.Output<T> | undefined {
    return value === undefined ? undefined : (pulumi.secret(value) as pulumi.Output<T>);
}
