import { typeNameOf } from "../base/message";
import { deprecatedAliases } from "./operations.gen";

/** The shape of a response in the contract. A field whose name ends in `?` is optional. */
export type Shape = "string" | "number" | "boolean" | ListShape | ObjectShape;

interface ListShape {
    readonly items: Shape;
}

interface ObjectShape {
    readonly fields: Readonly<Record<string, Shape>>;
}

/** A response in the form that callers see. */
export interface Answer {
    readonly value: unknown;
    /** The first mismatch with the contract. */
    readonly problem?: string | undefined;
    /** What a list leaves out. */
    readonly malformed: readonly MalformedEntry[];
}

/** An entry of a list that does not match the contract. It has no form: only its name and its id are read. */
export interface MalformedEntry {
    readonly entry: object;
    readonly problem: string;
}

const whole = "the response";

/**
 * The parsed body of a response, in the form of this shape: only its fields, under their present names. An API can say the same
 * in several ways, so nothing else reads a body. A text, a list or an object that is empty counts as absent, like null. A list
 * that must not be absent is empty then.
 */
export function inForm(parsed: unknown, shape: Shape): Answer {
    // A message for people can be absent, or anything.
    const body = isMessage(shape) && Object(parsed) !== parsed ? {} : parsed;
    if (!isList(shape) || !Array.isArray(body)) {
        return { ...formOf(body, shape, whole), malformed: [] };
    }
    const malformed: MalformedEntry[] = [];
    const value = body.flatMap((entry: unknown, index) => {
        const { value: item, problem } = formOf(entry, shape.items, `${whole}[${index}]`);
        if (problem === undefined) {
            return [item];
        }
        malformed.push({ entry: Object(entry) as object, problem });
        return [];
    });
    return { value, malformed };
}

const isList = (shape: Shape): shape is ListShape => typeof shape === "object" && "items" in shape;
const isMessage = (shape: Shape) =>
    typeof shape === "object" && "fields" in shape && Object.keys(shape.fields).every(isMaybe);
const isMaybe = (field: string): boolean => field.endsWith("?");
const aliases: Readonly<Record<string, string>> = deprecatedAliases;

function formOf(found: unknown, shape: Shape, at: string): Omit<Answer, "malformed"> {
    const problems: string[] = [];
    const value = formed(found, shape, at, problems);
    return { value, problem: problems[0] };
}

/** The value in the form of the shape. Adds each mismatch to the problems. */
function formed(found: unknown, shape: Shape, at: string, problems: string[]): unknown {
    const isNot = (what: string): unknown => {
        problems.push(`${at} is ${typeNameOf(found)}, not ${what}`);
        return undefined;
    };
    if (typeof shape === "string") {
        return typeof found === shape ? found : isNot(`a ${shape}`);
    }
    if (isList(shape)) {
        return found === null
            ? []
            : Array.isArray(found)
              ? found.map((item: unknown, index) => formed(item, shape.items, `${at}[${index}]`, problems))
              : isNot("an array");
    }
    if (typeof found !== "object" || found === null || Array.isArray(found)) {
        return isNot("an object");
    }
    const value: Record<string, unknown> = {};
    for (const [key, field] of Object.entries(shape.fields)) {
        const name = key.replace("?", "");
        const given = (found as Record<string, unknown>)[name] ?? (isList(field) ? [] : undefined);
        const inner = given === undefined ? undefined : formed(given, field, `${at}.${name}`, problems);
        const isMissing = isList(field) ? isMaybe(key) && hasNothing(inner) : hasNothing(inner);
        if (isMissing && !isMaybe(key)) {
            problems.push(`${at} has no field "${name}"`);
        }
        const { [name]: current = name } = aliases;
        if (!isMissing && (current === name || !Object.hasOwn(value, current))) {
            value[current] = inner;
        }
    }
    return value;
}

/** Whether a value says no more than its absence. 0 and false are values. */
const hasNothing = (value: unknown): boolean =>
    value === undefined || value === "" || (typeof value === "object" && Object.keys(value ?? {}).length === 0);
