import * as pulumi from "@pulumi/pulumi";
import { secretSettings, type ProviderInputs } from "../../../provider/api/settings";
import type { Args } from "../resource";

/** The arguments of a {@link Provider}. */
export type ProviderArgs = Args<ProviderInputs>;

/**
 * The settings of the plugin for some resources of a program, given by their `provider` option. With several providers, one
 * program manages several projects with different tokens. Settings that are left out come from the environment, not from the
 * configuration of the stack.
 */
export class Provider extends pulumi.ProviderResource {
    constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
        const settings = Object.entries(args).map(([setting, value]) => [
            setting,
            isSecret(setting) ? pulumi.secret(value) : value,
        ]);
        const secrets = { additionalSecretOutputs: [...secretSettings] };
        super("clouddb", name, Object.fromEntries(settings) as pulumi.Inputs, pulumi.mergeOptions(secrets, opts ?? {}));
    }
}

function isSecret(setting: string): boolean {
    return (secretSettings as readonly string[]).includes(setting);
}
