/** The start of the type of each resource of this package: of the dynamic provider, and of the native plugin. */
const typePrefix = /^(?:pulumi-nodejs:dynamic\/clouddb|clouddb:index):/;

/** The kind of a resource of this package. Undefined for another type. */
export function kindOf(type: string): string | undefined {
    return typePrefix.test(type) ? type.replace(typePrefix, "") : undefined;
}
