import * as pulumi from "@pulumi/pulumi";
import { secretSettings, type ProviderInputs } from "../../../provider/api/settings";
import { protectsData } from "../config";
import { isOfType } from "../isOfType";
import type { Args } from "../types";

/** The arguments of a {@link Provider}. */
export interface ProviderArgs extends Args<ProviderInputs> {}

/**
 * The settings of the plugin for some resources of a program, given by their `provider` option. With several providers, one
 * program manages several projects with different tokens. Settings that are left out come from the environment, not from the
 * configuration of the stack.
 */
export class Provider extends pulumi.ProviderResource {
    /** The type of these providers in a URN, under the name by which Pulumi's tools know it. */
    static readonly __pulumiType: string = "pulumi:providers:clouddb";

    /** Whether an object is such a provider, also of another copy of the package. */
    static override isInstance(object: unknown): object is Provider {
        return isOfType(object, Provider);
    }

    constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
        const settings = Object.entries(args).map(([setting, value]) => [
            setting,
            secretSettings.some((one) => one === setting) ? pulumi.secret(value) : value,
        ]);
        const secrets = { additionalSecretOutputs: [...secretSettings] };
        super("clouddb", name, Object.fromEntries(settings) as pulumi.Inputs, pulumi.mergeOptions(secrets, opts ?? {}));
        declareProtection(this, args.deletionProtection);
    }
}

/** The input `deletionProtection` of a provider. Copies of the package have it in common: a library can have its own. */
const declared = Symbol.for("pulumi-clouddb.deletionProtection");

/** Records the input `deletionProtection` of a provider, where an export of the provider does not show it. */
export function declareProtection(
    provider: pulumi.ProviderResource,
    value: ProviderArgs["deletionProtection"] | undefined,
): void {
    Object.defineProperty(provider, declared, { value });
}

/** The `deletionProtection` of the resources with data of a provider. Undefined if the program does not know it. */
export function declaredProtection(provider: pulumi.ProviderResource): boolean | undefined {
    const value: unknown = Reflect.get(provider, declared);
    if (!Object.hasOwn(provider, declared) || !(value === undefined || typeof value === "boolean")) {
        return undefined;
    }
    return value ?? protectsData(() => undefined);
}
