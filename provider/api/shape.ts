/** What the contract promises of an answer; a field name that ends in `?` may be absent. */
export type Shape = "string" | "number" | "boolean" | { readonly items: Shape } | Fields;

interface Fields {
    readonly fields: Readonly<Record<string, Shape>>;
}

/** An id that is empty is none: nothing can be found by it. */
const isId = /^(id|.+_id)$/;

/** Describes the first place where an answer is not as promised, or undefined. Fields that are not in the shape are no concern of it. */
export function mismatch(value: unknown, shape: Shape, at = "the answer"): string | undefined {
    if (typeof shape === "string") {
        return typeof value === shape ? undefined : `${at} is ${kindOf(value)}, not a ${shape}`;
    }
    if ("items" in shape) {
        if (!Array.isArray(value)) {
            return `${at} is ${kindOf(value)}, not an array`;
        }
        return firstOf(value, (item, index) => mismatch(item, shape.items, `${at}[${index}]`));
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return `${at} is ${kindOf(value)}, not an object`;
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

/** An entry of a list that is not as promised, and why. */
export interface OddEntry {
    readonly entry: unknown;
    readonly problem: string;
}

/** Separates the entries of a list that are as promised from the others; anything but a list stays as it is. */
export function sift(value: unknown, shape: Shape): { readonly kept: unknown; readonly odd: readonly OddEntry[] } {
    if (typeof shape === "string" || !("items" in shape) || !Array.isArray(value)) {
        return { kept: value, odd: [] };
    }
    const judged = value.map((entry: unknown, index) => ({
        entry,
        problem: mismatch(entry, shape.items, `the answer[${index}]`),
    }));
    return {
        kept: judged.filter(({ problem }) => problem === undefined).map(({ entry }) => entry),
        odd: judged.flatMap(({ entry, problem }) => (problem === undefined ? [] : [{ entry, problem }])),
    };
}

function firstOf<T>(items: readonly T[], look: (item: T, index: number) => string | undefined): string | undefined {
    for (const [index, item] of items.entries()) {
        const found = look(item, index);
        if (found !== undefined) {
            return found;
        }
    }
    return undefined;
}

function kindOf(value: unknown): string {
    if (value === undefined) {
        return "empty";
    }
    if (value === null) {
        return "null";
    }
    return Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
