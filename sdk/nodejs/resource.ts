import * as pulumi from "@pulumi/pulumi";
import { createUrn } from "@pulumi/pulumi/resource";
import { checkConfig } from "./config";
import { isMocked } from "./mocks";
import { connectionString } from "../../provider/resources/connectionString";
import type { ResourceType } from "../../provider/resources/index";

/** Inputs of a program: every value may be an output of another resource, at any depth. */
export type Args<Inputs> = {
    [Key in keyof Inputs]: pulumi.Input<
        Inputs[Key] extends readonly (infer Item)[] | undefined
            ? pulumi.Input<Item>[]
            : Inputs[Key] extends object | undefined
              ? Args<Inputs[Key]>
              : Inputs[Key]
    >;
};

/** The arguments of a resource class for `CustomResource`. */
interface Registration {
    readonly props: pulumi.Inputs;
    readonly opts: pulumi.CustomResourceOptions;
}

/** Builds the arguments for `CustomResource`: the inputs, the outputs and the hidden inputs. */
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
            // Unit tests with mocks have no provider, and they compare the inputs with those of the program.
            ...(isMocked() ? {} : hiddenInputs(type, name, args ?? {}, opts, secretOutputs)),
        },
        opts: pulumi.mergeOptions(
            { additionalSecretOutputs: [...secretOutputs] },
            { ...opts, ...protection(args ?? {}, opts) },
        ),
    };
}

/** Rejects Pulumi's `import` option, because Pulumi's own error for dynamic providers does not name a remedy. */
function rejectImport(type: ResourceType, name: string, id: pulumi.ID | undefined): void {
    if (id !== undefined) {
        throw new pulumi.RunError(
            `${type} ${JSON.stringify(name)} cannot be imported: dynamic providers do not support the import option. ` +
                `To adopt the existing resource, set existingId: ${JSON.stringify(id)} instead.`,
        );
    }
}

/**
 * The inputs that the provider needs and that the program does not declare. `__provider` locates the provider; it is the same
 * on every machine and in every version, so that an upgrade shows no change. `__urn` identifies the resource in messages.
 * `__timeouts` is needed because the engine does not pass `customTimeouts` to dynamic providers.
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
 * Pulumi's `protect` option for a resource with this `deletionProtection`. An option that the program sets has priority. With
 * `retainOnDelete`, a deletion only removes the resource from the state and needs no protection.
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
 * The names of the inputs that the program marked as secret, except those that are always secret. Undefined if there are none.
 * Pulumi passes plain values to the provider, which has to mark them as secret again when it returns them.
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
    // Pulumi reports a rejected value with the input itself.
    return pulumi.isSecret(pulumi.output(value)).catch(() => false);
}

/**
 * The URN that the resource will have. It is a promise and not an output, because an output would depend on the parent. A
 * dependency on a component waits for all its children, so the resource would wait for itself.
 */
function urnOf(type: ResourceType, name: string, parent: pulumi.Resource | undefined): Promise<string> {
    return new Promise((resolve) => {
        createUrn(name, typeToken(type), parent).apply(resolve);
    });
}

/** The names of the outputs of a resource that may be undefined. */
export type OptionalOutputs<R> = {
    [Key in keyof R & string]: R[Key] extends pulumi.Output<infer Value>
        ? undefined extends Value
            ? Key
            : never
        : never;
}[keyof R & string];

/** Turns null outputs into undefined. The state stores null so that a preview knows that the output has no value. */
export function nullsToUndefined(resource: pulumi.Resource, names: readonly string[]): void {
    const outputs = resource as unknown as Record<string, pulumi.Output<unknown> | undefined>;
    for (const name of names) {
        outputs[name] = outputs[name]?.apply((value) => value ?? undefined);
    }
}

/** A `postgres://` URL as a secret output. Undefined if there is no such endpoint. */
export function secretUrl(
    host: pulumi.Output<string | undefined>,
    port: pulumi.Output<number | undefined>,
    password: pulumi.Input<string | undefined>,
): pulumi.Output<string | undefined> {
    return pulumi.secret(pulumi.all([host, port, password]).apply((known) => connectionString(...known)));
}

/** The resource type in the state. */
export function typeToken(type: ResourceType): string {
    return `pulumi-nodejs:dynamic/clouddb:${type}`;
}

/** Marks a value as secret, if there is one, so that Pulumi encrypts it. */
export function asSecret<T>(value: pulumi.Input<T> | undefined): pulumi.Output<T> | undefined {
    return value === undefined ? undefined : (pulumi.secret(value) as pulumi.Output<T>);
}
