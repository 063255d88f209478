/** A field under its name and its deprecated alias. The contract requires both, with the same content. */
export const withDeprecatedAlias = <Name extends string, Deprecated extends string, Value>(
    name: Name,
    deprecated: Deprecated,
    value: Value,
): Record<Name | Deprecated, Value> => ({ [name]: value, [deprecated]: value }) as Record<Name | Deprecated, Value>;
