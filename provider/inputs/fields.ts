import { nearest } from "./nearest";
import { hasUnknown, unknown, type Planned } from "./unknown";
import type { Finding, Replacement, Timeouts } from "./finding";

/** What a change of an input does. */
export type Effect =
    /** It cannot be changed: another one takes its place. */
    | "replace"
    /** It is changed in place by calls to the service. */
    | "update"
    /** Only the state remembers it: a change sends no request and waits for nothing. */
    | "stateOnly"
    /** It says what is waited for: a change sends no request that changes anything. */
    | "await"
    /** It is read once and a change of it means nothing. */
    | "ignore";

/** Says what is wrong with a known value, as the end of a sentence that begins with the property and its value. */
export type Test = (value: unknown) => string | undefined;

/** One input of a resource. */
export interface Field {
    readonly effect: Effect;
    readonly required: boolean;
    readonly test: Test;
    /** Its value is not repeated in messages. */
    readonly secret: boolean;
}

/** Every input of a resource is classified; a new one does not compile until it is. */
export type Fields<Inputs> = { readonly [Key in keyof Required<Inputs>]: Field };

/** An input that may be left out. */
export function optional(effect: Effect, test: Test): Field {
    return { effect, test, required: false, secret: false };
}

/** An input that must be given. */
export function required(effect: Effect, test: Test): Field {
    return { effect, test, required: true, secret: false };
}

/** An input that may be left out and is never shown. */
export function secret(effect: Effect, test: Test): Field {
    return { effect, test, required: false, secret: true };
}

export function text(limits: { readonly longest?: number } = {}): Test {
    const { longest = Infinity } = limits;
    return (value) => {
        if (typeof value !== "string") {
            return `is ${kindOf(value)}; give a string`;
        }
        if (value.trim() === "") {
            return "is empty; give a value or leave the property out";
        }
        return value.length > longest
            ? `has ${value.length} characters; at most ${longest} are allowed, shorten it`
            : undefined;
    };
}

export function pattern(expression: RegExp, expected: string): Test {
    return (value) =>
        typeof value === "string" && expression.test(value) ? undefined : `is not ${expected}; give one`;
}

export function oneOf(allowed: readonly string[]): Test {
    return (value) =>
        typeof value === "string" && allowed.includes(value) ? undefined : `is not allowed; use ${listed(allowed)}`;
}

export function wholeNumber(smallest: number): Test {
    return (value) =>
        typeof value === "number" && Number.isInteger(value) && value >= smallest
            ? undefined
            : `is not allowed; use a whole number of at least ${smallest}`;
}

/** A number above 0, or "shared" where the service takes that. */
export function size(allowShared: boolean): Test {
    return (value) => {
        if (allowShared && value === "shared") {
            return undefined;
        }
        return typeof value === "number" && Number.isFinite(value) && value > 0
            ? undefined
            : `is not a size; use a number above 0${allowShared ? ' or "shared"' : ""}`;
    };
}

export const flag: Test = (value) =>
    typeof value === "boolean" ? undefined : `is ${kindOf(value)}; use true or false`;

export function arrayOf(test: Test): Test {
    return (value) => {
        if (!Array.isArray(value)) {
            return `is ${kindOf(value)}; give an array`;
        }
        const bad: unknown = value.find((item) => item !== unknown && test(item) !== undefined);
        return bad === undefined ? undefined : `holds ${show(bad)}, which ${test(bad) ?? ""}`;
    };
}

/** The problems of single inputs: unknown names, missing ones, bad values. Unknown values pass. */
export function checkFields(
    given: Readonly<Record<string, unknown>>,
    fields: Readonly<Record<string, Field>>,
): Finding[] {
    const strangers = Object.keys(given)
        .filter((name) => !(name in fields) && !name.startsWith("__"))
        .map((name) => ({
            property: name,
            text: `${name} is not a property of this resource; ${suggestion(name, fields)}`,
        }));
    const findings = Object.entries(fields).flatMap(([name, field]): Finding[] => {
        const value = given[name];
        if (value === undefined || value === null) {
            return field.required ? [{ property: name, text: `${name} is missing; give it a value` }] : [];
        }
        const problem = value === unknown ? undefined : field.test(value);
        if (problem === undefined) {
            return [];
        }
        return [{ property: name, text: `${name} ${field.secret ? "" : `${show(value)} `}${problem}` }];
    });
    return [...strangers, ...findings];
}

/** Inputs whose declared value can only be had by another one in its place; what is left open replaces nothing. */
export function replacements<Inputs extends object>(
    fields: Fields<Inputs>,
    state: object,
    declared: Planned<Inputs>,
): readonly Replacement[] {
    return entriesOf(fields)
        .filter(([, { effect }]) => effect === "replace")
        .map(([property]) => ({ property, from: valueOf(state, property), to: valueOf(declared, property) }))
        .filter(({ from, to }) => to !== undefined && !same(from, to));
}

/** Whether two values of an input are the same; unknown ones never are. */
export function same(left: unknown, right: unknown): boolean {
    if (hasUnknown(left) || hasUnknown(right)) {
        return false;
    }
    return canonical(left) === canonical(right);
}

/** A value as a person writes it in a program. */
export function show(value: unknown): string {
    if (value === unknown) {
        return "(known after apply)";
    }
    return value === undefined || value === null ? "none" : canonical(value);
}

/** A value in a sentence, where quotes would be in the way. */
export function plain(value: unknown): string {
    return typeof value === "string" ? value : show(value);
}

/** Replacements with their old and new values, as a list in a sentence. */
export function changesIn(replace: readonly Replacement[]): string {
    return replace.map(({ property, from, to }) => `${property} ${show(from)} -> ${show(to)}`).join(", ");
}

/** The names of the fields with what is known of each. */
export function entriesOf<Inputs>(fields: Fields<Inputs>): [string, Field][] {
    return Object.entries(fields);
}

/** What an object holds under a name that is only known as a string. */
export function valueOf(object: object, name: string): unknown {
    return (object as Record<string, unknown>)[name];
}

function canonical(value: unknown): string {
    return JSON.stringify(value ?? null, (_, inner: unknown) =>
        inner === unknown
            ? "(known after apply)"
            : typeof inner === "object" && inner !== null && !Array.isArray(inner)
              ? Object.fromEntries(
                    Object.entries(inner)
                        .filter(([, item]) => item !== undefined && item !== null)
                        .sort(([a], [b]) => (a < b ? -1 : 1)),
                )
              : inner,
    );
}

function kindOf(value: unknown): string {
    return Array.isArray(value) ? "an array" : value === null ? "null" : `a ${typeof value}`;
}

function listed(values: readonly string[]): string {
    const quoted = values.map((value) => JSON.stringify(value));
    return quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1) ?? ""}`;
}

function suggestion(name: string, fields: Readonly<Record<string, Field>>): string {
    const names = Object.keys(fields);
    const meant = nearest(name, names);
    return meant === undefined ? `it has ${names.join(", ")}` : `did you mean ${meant}?`;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A time as `customTimeouts` has it, for example `1h30m`, in milliseconds; undefined if it is none. */
export function parseTimeout(value: string): number | undefined {
    const parts = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
    if (parts.length === 0 || parts.map(([part]) => part).join("") !== value) {
        return undefined;
    }
    return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ""] ?? 0), 0);
}

/** The problems of `customTimeouts`. */
export function checkTimeouts(timeouts: Timeouts | undefined): Finding[] {
    return Object.entries(timeouts ?? {})
        .filter(([, value]) => typeof value !== "string" || parseTimeout(value) === undefined)
        .map(([name, value]) => ({
            property: `customTimeouts.${name}`,
            text: `customTimeouts.${name} ${show(value)} is not a length of time; use for example "30m" or "1h30m"`,
        }));
}
