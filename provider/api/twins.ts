import { deprecatedTwins } from "./operations.gen";

/** Moves what only stands under a deprecated spelling to the one that replaces it, at any depth, so that readers know one. */
export function withoutTwins(value: unknown): unknown {
    if (Array.isArray(value)) {
        return value.map(withoutTwins);
    }
    if (typeof value !== "object" || value === null) {
        return value;
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
            return [[twin ?? name, withoutTwins(field)]];
        }),
    );
}
