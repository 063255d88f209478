import * as pulumi from "@pulumi/pulumi";
import { createUrn } from "@pulumi/pulumi/resource";
import { checkConfig } from "./config";
import { isMocked } from "./mocks";
import { connectionString } from "../../provider/resources/connectionString";
import { lifecycles, type ResourceType } from "../../provider/resources/index";
import type { Field } from "../../provider/inputs/fields";
import { outputsWhere, type OutputField } from "../../provider/lifecycle/outputs";

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

/** The outputs of a resource in a program. */
export type OutputsOf<Outputs> = { readonly [Key in keyof Outputs]: pulumi.Output<Outputs[Key]> };

/** A class of resources with these arguments and outputs. */
type ResourceClass<Args extends object, Outputs> = new (
    name: string,
    args: Args,
    opts?: pulumi.CustomResourceOptions,
) => pulumi.CustomResource & OutputsOf<Outputs>;

/** The base class of the resources of a type. It registers the resource, and has the outputs that the provider returns. */
export function resourceClass<Args extends object, Outputs>(type: ResourceType): ResourceClass<Args, Outputs> {
    const { fields, outputs } = tablesOf(type);
    const secretOutputs = outputsWhere(outputs, ({ secret }) => secret);
    const registered = outputsWhere(outputs, ({ fromId }) => !fromId);
    class RegisteredResource extends pulumi.CustomResource {
        constructor(name: string, args: object = {}, opts: pulumi.CustomResourceOptions = {}) {
            checkConfig();
            rejectImport(type, name, opts.import);
            const props = {
                ...Object.fromEntries(registered.map((output) => [output, undefined])),
                ...withSecrets(args, fields),
                // Unit tests with mocks have no provider, and they compare the inputs with those of the program.
                ...(isMocked() ? {} : hiddenInputs(type, name, args, opts, secretOutputs)),
            };
            const secrets = { additionalSecretOutputs: [...secretOutputs] };
            super(typeToken(type), name, props, pulumi.mergeOptions(secrets, { ...opts, ...protection(args, opts) }));
            const values = this as unknown as Record<string, pulumi.Output<unknown> | undefined>;
            for (const output of outputsWhere(outputs, ({ optional }) => optional)) {
                // The state stores null so that a preview knows that the output has no value.
                values[output] = values[output]?.apply((value) => value ?? undefined);
            }
            for (const output of outputsWhere(outputs, ({ fromId }) => fromId)) {
                values[output] = this.id.apply((id) => id.slice(id.indexOf("/") + 1));
            }
        }
    }
    return RegisteredResource as unknown as ResourceClass<Args, Outputs>;
}

function tablesOf(type: ResourceType): {
    readonly fields: Readonly<Record<string, Field>>;
    readonly outputs: Readonly<Record<string, OutputField>>;
} {
    return lifecycles[type].resource;
}

/** The inputs, with those that are always secret marked as secret, so that Pulumi encrypts them. */
function withSecrets(args: object, fields: Readonly<Record<string, Field>>): pulumi.Inputs {
    const marked = Object.entries(args).filter(([name, value]) => fields[name]?.secret === true && value !== undefined);
    return { ...args, ...Object.fromEntries(marked.map(([name, value]) => [name, pulumi.secret(value)])) };
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

/** A `postgres://` URL as a secret output. Undefined if there is no such endpoint. */
export function secretUrl(
    host: pulumi.Output<string | undefined>,
    port: pulumi.Output<number | undefined>,
    password: pulumi.Input<string | undefined>,
): pulumi.Output<string | undefined> {
    return pulumi.secret(pulumi.all([host, port, password]).apply((known) => connectionString(...known)));
}

/** The resource type in the state. */
function typeToken(type: ResourceType): string {
    return `pulumi-nodejs:dynamic/clouddb:${type}`;
}
