/** The prefix of this package's resource types, in the dynamic provider and in the native plugin. */
const typePrefix = /^(?:pulumi-nodejs:dynamic\/clouddb|clouddb:index):/;

/** The kind of a resource of this package. Undefined for any other type. */
export function kindOf(type: string): string | undefined {
    return typePrefix.test(type) ? type.replace(typePrefix, "") : undefined;
}
