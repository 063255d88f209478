import { deprecatedAliases } from "./operations.gen";

const aliases = new Map<string, string>(Object.entries(deprecatedAliases));

/** Far deeper than any response of the contract. Limits the recursion. */
const maxDepth = 100;

/** Renames fields with a deprecated name, unless the current name is also present. Callers only use current names. */
export function withoutDeprecatedAliases(value: unknown, depth = 0): unknown {
    if (typeof value !== "object" || value === null || depth > maxDepth) {
        return value;
    }
    if (Array.isArray(value)) {
        return value.map((item) => withoutDeprecatedAliases(item, depth + 1));
    }
    const fields = value as Readonly<Record<string, unknown>>;
    const kept: [string, unknown][] = [];
    for (const name of Object.keys(fields)) {
        const alias = aliases.get(name);
        // The API may send null for an absent field.
        if (fields[name] !== null && (alias === undefined || isAbsent(fields[alias]))) {
            kept.push([alias ?? name, withoutDeprecatedAliases(fields[name], depth + 1)]);
        }
    }
    return Object.fromEntries(kept);
}

function isAbsent(field: unknown): boolean {
    return field === undefined || field === null;
}
