import { typeNameOf } from "../base/message";
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
        return typeof value === shape ? undefined : `${at} is ${typeNameOf(value)}, not a ${shape}`;
    }
    if ("items" in shape) {
        if (!Array.isArray(value)) {
            return `${at} is ${typeNameOf(value)}, not an array`;
        }
        return value.map((item, index) => mismatch(item, shape.items, `${at}[${index}]`)).find(isProblem);
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return `${at} is ${typeNameOf(value)}, not an object`;
    }
    const problems = Object.entries(shape.fields).map(([key, field]) => {
        const optional = key.endsWith("?");
        const name = optional ? key.slice(0, -1) : key;
        const found: unknown = (value as Record<string, unknown>)[name];
        if (found === undefined || found === null || (found === "" && isId.test(name))) {
            return optional ? undefined : `${at} has no field "${name}"`;
        }
        return mismatch(found, field, `${at}.${name}`);
    });
    return problems.find(isProblem);
}

/** The value with an empty list in place of each list that is null. */
export function withEmptyLists(value: unknown, shape: Shape): unknown {
    if (typeof shape === "string") {
        return value;
    }
    if ("items" in shape) {
        return Array.isArray(value)
            ? value.map((item: unknown) => withEmptyLists(item, shape.items))
            : value === null
              ? []
              : value;
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return value;
    }
    const filled = Object.entries(shape.fields)
        .map(([key, field]) => [key.replace("?", ""), field] as const)
        .filter(([name]) => Object.hasOwn(value, name))
        .map(([name, field]) => [name, withEmptyLists((value as Record<string, unknown>)[name], field)]);
    return { ...value, ...Object.fromEntries(filled) };
}

/** Verifies a response. Leaves malformed entries out of a list; any other problem is that of the whole response. */
export function verify(
    value: unknown,
    shape: Shape,
    onMalformed: (entry: unknown, problem: string) => void,
): { readonly wellFormed: unknown; readonly problem?: string | undefined } {
    if (typeof shape === "string" || !("items" in shape) || !Array.isArray(value)) {
        return { wellFormed: value, problem: mismatch(value, shape) };
    }
    const entries = value.filter((entry: unknown, index) => {
        const problem = mismatch(entry, shape.items, `the response[${index}]`);
        if (problem !== undefined) {
            onMalformed(entry, problem);
        }
        return problem === undefined;
    });
    return { wellFormed: entries };
}

const isProblem = (problem: string | undefined) => problem !== undefined;

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
        if (fields[name] !== null && (alias === undefined || (fields[alias] ?? null) === null)) {
            kept.push([alias ?? name, withoutDeprecatedAliases(fields[name], depth + 1)]);
        }
    }
    return Object.fromEntries(kept);
}
