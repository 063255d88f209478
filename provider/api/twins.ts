import { deprecatedTwins } from "./operations.gen";

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
    const entries = Object.entries(value);
    const present = new Set(entries.filter(([, field]) => field !== null).map(([name]) => name));
    return Object.fromEntries(
        entries.flatMap(([name, field]) => {
            const twin = Object.hasOwn(deprecatedTwins, name)
                ? deprecatedTwins[name as keyof typeof deprecatedTwins]
                : undefined;
            // A null is as good as absent, whatever it stands under.
            if (field === null || (twin !== undefined && present.has(twin))) {
                return [];
            }
            return [[twin ?? name, withoutTwins(field, depth + 1)]];
        }),
    );
}
