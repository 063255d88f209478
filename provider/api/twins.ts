import { deprecatedTwins } from "./operations.gen";

const twins = new Map<string, string>(Object.entries(deprecatedTwins));

/** Far deeper than any answer of the contract, and far from what ends a process. */
const deepest = 100;

/** Moves what only stands under a deprecated spelling to the one that replaces it, so that readers know one. */
export function withoutTwins(value: unknown, depth = 0): unknown {
    if (typeof value !== "object" || value === null || depth > deepest) {
        return value;
    }
    if (Array.isArray(value)) {
        return value.map((item) => withoutTwins(item, depth + 1));
    }
    const fields = value as Readonly<Record<string, unknown>>;
    const kept: [string, unknown][] = [];
    for (const name of Object.keys(fields)) {
        const twin = twins.get(name);
        // A null is as good as absent, whatever it stands under.
        if (fields[name] !== null && (twin === undefined || isAbsent(fields[twin]))) {
            kept.push([twin ?? name, withoutTwins(fields[name], depth + 1)]);
        }
    }
    return Object.fromEntries(kept);
}

function isAbsent(field: unknown): boolean {
    return field === undefined || field === null;
}
