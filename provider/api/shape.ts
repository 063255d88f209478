import { deprecatedAliases } from "./operations.gen";

/** The shape of a response in the contract. A field whose name ends in `?` is optional. */
export type Shape = "string" | "number" | "boolean" | { readonly items: Shape } | Fields;

interface Fields {
    readonly fields: Readonly<Record<string, Shape>>;
}

/** An empty id counts as absent. */
const isId = /^(id|.+_id)$/;

/** Describes the first mismatch between a response and its shape. Ignores fields that are not in the shape. */
export function mismatch(value: unknown, shape: Shape, at = "the response"): string | undefined {
    if (typeof shape === "string") {
        return typeof value === shape ? undefined : `${at} is ${kindIn(value)}, not a ${shape}`;
    }
    if ("items" in shape) {
        if (!Array.isArray(value)) {
            return `${at} is ${kindIn(value)}, not an array`;
        }
        return firstOf(value, (item, index) => mismatch(item, shape.items, `${at}[${index}]`));
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return `${at} is ${kindIn(value)}, not an object`;
    }
    return firstOf(Object.entries(shape.fields), ([key, field]) => {
        const optional = key.endsWith("?");
        const name = optional ? key.slice(0, -1) : key;
        const found: unknown = (value as Record<string, unknown>)[name];
        if (found === undefined || found === null || (found === "" && isId.test(name))) {
            return optional ? undefined : `${at} has no field "${name}"`;
        }
        return mismatch(found, field, `${at}.${name}`);
    });
}

/** The value with an empty list in place of each list that is null. Returns the same value if it has none. */
export function withEmptyLists(value: unknown, shape: Shape): unknown {
    if (typeof shape === "string") {
        return value;
    }
    if ("items" in shape) {
        if (value === null) {
            return [];
        }
        const { items } = shape;
        return Array.isArray(value) && typeof items !== "string"
            ? value.map((item: unknown) => withEmptyLists(item, items))
            : value;
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return value;
    }
    const fields = value as Readonly<Record<string, unknown>>;
    const changed: [string, unknown][] = [];
    for (const [key, field] of Object.entries(shape.fields)) {
        const name = key.endsWith("?") ? key.slice(0, -1) : key;
        if (typeof field !== "string" && Object.hasOwn(fields, name)) {
            const filled = withEmptyLists(fields[name], field);
            if (filled !== fields[name]) {
                changed.push([name, filled]);
            }
        }
    }
    return changed.length === 0 ? value : { ...fields, ...Object.fromEntries(changed) };
}

/** A malformed list entry with its problem. */
export interface InvalidItem {
    readonly entry: unknown;
    readonly problem: string;
}

/** Verifies a response. Separates the malformed entries of a list; any other problem is that of the whole response. */
export function partition(
    value: unknown,
    shape: Shape,
): { readonly kept: unknown; readonly malformed: readonly InvalidItem[]; readonly problem?: string | undefined } {
    if (typeof shape === "string" || !("items" in shape) || !Array.isArray(value)) {
        return { kept: value, malformed: [], problem: mismatch(value, shape) };
    }
    const checked = value.map((entry: unknown, index) => ({
        entry,
        problem: mismatch(entry, shape.items, `the response[${index}]`),
    }));
    return {
        kept: checked.filter(({ problem }) => problem === undefined).map(({ entry }) => entry),
        malformed: checked.flatMap(({ entry, problem }) => (problem === undefined ? [] : [{ entry, problem }])),
    };
}

function firstOf<T>(items: readonly T[], find: (item: T, index: number) => string | undefined): string | undefined {
    for (const [index, item] of items.entries()) {
        const found = find(item, index);
        if (found !== undefined) {
            return found;
        }
    }
    return undefined;
}

function kindIn(value: unknown): string {
    if (value === undefined) {
        return "empty";
    }
    if (value === null) {
        return "null";
    }
    return Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

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
