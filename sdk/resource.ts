import * as pulumi from "@pulumi/pulumi";
import { createUrn } from "@pulumi/pulumi/resource";
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

/**
 * The inputs of a resource with what the provider needs beside them: the few words that find the provider, which are the
 * same on every machine and in every version, so that an upgrade is no change; where its status lines belong; and the
 * time-outs, which the engine does not pass on.
 */
export function registration(
    type: ResourceType,
    name: string,
    args: object | undefined,
    opts: pulumi.CustomResourceOptions,
    outputs: readonly string[],
    secretOutputs: readonly string[],
): Registration {
    return {
        props: {
            ...Object.fromEntries(outputs.map((output) => [output, undefined])),
            ...args,
            __provider: `exports.handler=()=>require("pulumi-clouddb/provider").${type}`,
            __urn: urnOf(type, name, opts.parent),
            ...(opts.customTimeouts ? { __timeouts: { ...opts.customTimeouts } } : {}),
            ...(pulumi.runtime.isDryRun() ? { __preview: true } : {}),
        },
        opts: pulumi.mergeOptions({ additionalSecretOutputs: [...secretOutputs] }, opts),
    };
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

/** The type as it is in the state. */
export function typeToken(type: ResourceType): string {
    return `pulumi-nodejs:dynamic/clouddb:${type}`;
}

/** Marks a value as secret where there is one, so that it is encrypted wherever Pulumi keeps it. */
export function asSecret<T>(value: pulumi.Input<T> | undefined): pulumi.Output<T> | undefined {
    return value === undefined ? undefined : (pulumi.secret(value) as pulumi.Output<T>);
}
