import { typeNameOf } from "../base/message";
import { deprecatedAliases } from "./operations.gen";

/** The shape of a response in the contract. A field whose name ends in `?` is optional. An `id` is a text that is not empty. */
export type Shape = "string" | "id" | "number" | "boolean" | ListShape | ObjectShape;

interface ListShape {
    readonly items: Shape;
}

interface ObjectShape {
    readonly fields: Readonly<Record<string, Shape | WithMeaning>>;
}

/**
 * A field whose absence says something: without `replica_count`, there are 0 replicas. With null, there is none: without
 * `vpc_endpoint`, or with an empty object in it, a service has no VPC.
 */
interface WithMeaning {
    readonly shape: Shape;
    readonly ifAbsent: unknown;
}

/** A response in the form that callers see. */
interface Answer {
    readonly value: unknown;
    /** The first mismatch with the contract. */
    readonly problem?: string | undefined;
    /** The entries of a list that do not match the contract, which it leaves out. Only their names and ids are read. */
    readonly malformed: readonly { readonly entry: object; readonly problem: string }[];
}

const whole = "the response";

/**
 * The parsed body of a response, in the form of this shape: only its fields, under their present names. An API can say the same
 * in several ways, so nothing else reads a body. A text that is empty counts as absent, like null. A field that is absent has the
 * value that the contract gives its absence, if any. A list that must not be absent is empty then.
 */
export function inForm(parsed: unknown, shape: Shape): Answer {
    // A message for people can be absent, or anything.
    const body = isMessage(shape) && Object(parsed) !== parsed ? {} : parsed;
    if (!isList(shape) || !Array.isArray(body)) {
        return { ...formOf(body, shape, whole), malformed: [] };
    }
    const malformed: Answer["malformed"][number][] = [];
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
        const type = shape === "id" ? "string" : shape;
        return typeof found === type ? found : isNot(`a ${type}`);
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
        const { shape: inner, ifAbsent } = isMeaningful(field) ? field : { shape: field, ifAbsent: undefined };
        const given = (found as Record<string, unknown>)[name] ?? (isList(inner) ? [] : undefined);
        if (!isMaybe(key) && (given === undefined || (inner === "id" && given === ""))) {
            problems.push(`${at} has no field "${name}"`);
        }
        const form = (one: unknown) => formed(one, inner, `${at}.${name}`, problems);
        const isEmptyText = given === "" && (inner === "string" || inner === "id");
        let shown = given === undefined || isEmptyText ? undefined : form(given);
        const isNone = ifAbsent === null && (hasNothing(given) || hasNothing(shown));
        if (isNone || (isList(inner) && isMaybe(key) && hasNothing(shown))) {
            shown = undefined;
        }
        shown ??= typeof ifAbsent === "object" && ifAbsent !== null ? form(ifAbsent) : (ifAbsent ?? undefined);
        const { [name]: current = name } = aliases;
        if (shown !== undefined && (current === name || !Object.hasOwn(value, current))) {
            value[current] = shown;
        }
    }
    return value;
}

const isMeaningful = (field: Shape | WithMeaning): field is WithMeaning =>
    typeof field === "object" && "shape" in field;
const hasNothing = (value: unknown): boolean => Object.keys(Object(value) as object).length === 0;
