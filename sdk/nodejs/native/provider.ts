import * as pulumi from "@pulumi/pulumi";
import { secretSettings, type ProviderInputs } from "../../../provider/api/settings";
import { protectsData } from "../config";
import type { Args } from "../types";

/** The arguments of a {@link Provider}. */
export interface ProviderArgs extends Args<ProviderInputs> {}

/**
 * The settings of the plugin for some resources of a program, given by their `provider` option. With several providers, one
 * program manages several projects with different tokens. Settings that are left out come from the environment, not from the
 * configuration of the stack.
 */
export class Provider extends pulumi.ProviderResource {
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

/** The input `deletionProtection` of each provider of this program. */
const declared = new WeakMap<pulumi.ProviderResource, ProviderArgs["deletionProtection"] | undefined>();

/** Records the input `deletionProtection` of a provider. */
export function declareProtection(
    provider: pulumi.ProviderResource,
    value: ProviderArgs["deletionProtection"] | undefined,
): void {
    declared.set(provider, value);
}

/** The `deletionProtection` of the resources with data of a provider. Undefined if the program does not know it. */
export function declaredProtection(provider: pulumi.ProviderResource): boolean | undefined {
    const value = declared.get(provider);
    if (!declared.has(provider) || !(value === undefined || typeof value === "boolean")) {
        return undefined;
    }
    return value ?? protectsData(() => undefined);
}
