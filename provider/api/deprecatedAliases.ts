import { deprecatedAliases } from "./operations.gen";

const aliases = new Map<string, string>(Object.entries(deprecatedAliases));

/** Far deeper than any answer of the contract, and far from what ends a process. */
const deepest = 100;

/** Moves what only stands under a deprecated spelling to the one that replaces it, so that readers know one. */
export function withoutDeprecatedAliases(value: unknown, depth = 0): unknown {
    if (typeof value !== "object" || value === null || depth > deepest) {
        return value;
    }
    if (Array.isArray(value)) {
        return value.map((item) => withoutDeprecatedAliases(item, depth + 1));
    }
    const fields = value as Readonly<Record<string, unknown>>;
    const kept: [string, unknown][] = [];
    for (const name of Object.keys(fields)) {
        const alias = aliases.get(name);
        // A null is as good as absent, whatever it stands under.
        if (fields[name] !== null && (alias === undefined || isAbsent(fields[alias]))) {
            kept.push([alias ?? name, withoutDeprecatedAliases(fields[name], depth + 1)]);
        }
    }
    return Object.fromEntries(kept);
}

function isAbsent(field: unknown): boolean {
    return field === undefined || field === null;
}
