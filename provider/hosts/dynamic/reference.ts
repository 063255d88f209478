/** The property with which a dynamic resource names its provider. Pulumi's host reads it from the state. */
export const providerKey = "__provider";

/** The module with the providers. Pulumi's host loads it from the program folder. */
export const providerModule = "pulumi-clouddb/provider";

/**
 * Locates the provider of a resource type. The text is the same on every machine and in every version, so that an
 * upgrade shows no change.
 */
export function providerReference(type: string): string {
    return `exports.handler=()=>require("${providerModule}").${type}`;
}
