import { nearest } from "../provider/base/message";

/** Characters that PostgreSQL cannot store or a terminal cannot show. */
export const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * What a value must be. The forms of the options, controls and faults are the only description of their values: the types, the
 * checks, the messages, the help of the command and the documentation follow from them.
 */
export interface Form<T> {
    /** The type in the documentation. */
    readonly type: string;
    /** What is wrong with a value, as a sentence that begins with this name. Undefined if nothing is. */
    readonly problem: (name: string, value: unknown) => string | undefined;
    /** Reads a value of the command line or of the short form of a fault. `problem` rejects what it cannot read. Default: the text. */
    readonly read?: (text: string) => unknown;
    readonly isNeeded?: boolean;
    /** The values that the page offers. Default: any. */
    readonly examples?: readonly T[];
    /** Exists only as a type. */
    readonly of?: T;
}

/** The forms of the fields of an object. */
export type Fields = Readonly<Record<string, Form<unknown>>>;

export type Needed<T> = Form<T> & { readonly isNeeded: true };
type NeededNames<F> = { [K in keyof F]: F[K] extends { isNeeded: true } ? K : never }[keyof F];
type Each<F> = { [K in keyof F]: F[K] extends Form<infer T> ? T : never };

/** An object with these fields. Only those in `needed` are required. */
export type ValuesOf<F> = Each<Pick<F, NeededNames<F>>> & Partial<Each<Omit<F, NeededNames<F>>>>;

export const needed = <T>(form: Form<T>): Needed<T> => ({ ...form, isNeeded: true });

/** A value that `isValid` accepts. `what` follows "must be" in messages. */
export const value = <T>(
    what: string,
    type: string,
    isValid: (one: unknown) => boolean,
    read: (text: string) => unknown = (text) => text,
): Form<T> => ({
    type,
    problem: (name, one) => (isValid(one) ? undefined : `${name} must be ${what}, not ${shown(one)}.`),
    read,
});

export const number = (what: string, isValid: (one: number) => boolean): Form<number> =>
    value(
        what,
        "number",
        (one) => typeof one === "number" && isValid(one),
        (text) => (text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text)),
    );

/** A hundred years. With longer times, dates would be out of range. */
export const maxMs = 100 * 365 * 86_400_000;
const maxCharacters = 1_000;

export const integer = (least: number, most: number): Form<number> =>
    number(`an integer from ${least} to ${most}`, (one) => Number.isInteger(one) && one >= least && one <= most);
export const wholeMs = integer(0, maxMs);
export const count = number("an integer of at least 1", (one) => Number.isInteger(one) && one >= 1);
export const milliseconds = number(`a number of milliseconds from 0 to ${maxMs}`, (one) => one >= 0 && one <= maxMs);
export const aboveZero = number("a number above 0", (one) => one > 0 && Number.isFinite(one));
export const probability = number("a number above 0 and up to 1", (one) => one > 0 && one <= 1);
export const flag: Form<boolean> = value(
    "true or false",
    "boolean",
    (one) => typeof one === "boolean",
    (text) => (/^(true|false)$/.test(text) ? text === "true" : text),
);
export const matching = (pattern: RegExp, what: string): Form<string> =>
    value(what, "string", (one) => typeof one === "string" && pattern.test(one));
export const nonEmpty = matching(/./s, "a non-empty string");
export const text: Form<string> = value(
    `a string of up to ${maxCharacters} characters without control characters`,
    "string",
    (one) => typeof one === "string" && one.length <= maxCharacters && !controlCharacters.test(one),
);

export const isFunction = (one: unknown): boolean => typeof one === "function";
export const aFunction = <T>(): Form<T> => value("a function", "function", isFunction);

export const nullable = <T>(form: Form<T>): Form<T | null> => ({
    ...form,
    type: `${form.type} or null`,
    problem: (name, one) => (one === null ? undefined : form.problem(name, one)?.replace("must be", "must be null or")),
});

/** A string that messages do not repeat. */
export const secret = (form: Form<string>): Form<string> => ({
    ...form,
    problem: (name, one) => {
        const found = form.problem(name, one);
        return typeof one === "string" ? found?.replace(/, not .*/s, ".") : found;
    },
});

/** One of these strings. A function returns them only when they are needed. */
export const oneOf = <const T extends string>(choices: readonly T[] | (() => readonly T[])): Form<T> => {
    const known = () => (typeof choices === "function" ? choices() : choices);
    return {
        type: typeof choices === "function" ? "string" : choices.map((one) => `"${one}"`).join(" | "),
        problem: (name, one) =>
            known().some((choice) => choice === one)
                ? undefined
                : `${name} must be one of ${known().join(", ")}, not ${shown(one)}.`,
    };
};

/** A list of up to `most` items. */
export const list = <T>(item: Form<T>, noun: string, most = Infinity): Form<readonly T[]> => ({
    type: `${item.type}[]`,
    problem: (name, items) => {
        if (!Array.isArray(items)) {
            return `${name} must be a list of ${noun}s, not ${shown(items)}.`;
        }
        return items.length > most
            ? `${name} must be a list of up to ${most} ${noun}s, not of ${items.length}.`
            : items.map((one, index) => item.problem(`item ${index + 1} of ${name}`, one)).find(Boolean);
    },
});

/** An object with these fields. */
export const object = <const F extends Fields>(fields: F, noun = "field"): Form<ValuesOf<F>> => ({
    type: typeOf(fields),
    problem: (name, one) =>
        isObject(one) ? problemOf(one, fields, noun, name) : `${name} must be an object, not ${shown(one)}.`,
});

/** The type of an object with these fields in the documentation. */
export const typeOf = (fields: Fields): string =>
    `{ ${Object.entries(fields)
        .map(([name, { type, isNeeded }]) => `${name}${isNeeded ? "" : "?"}: ${type}`)
        .join(", ")} }`;

/** The first problem of an object with these fields, as a sentence. A field that is undefined counts as absent. */
export function problemOf(values: object, fields: Fields, noun = "field", of = ""): string | undefined {
    const names = Object.keys(fields);
    const given = Object.entries(definedOf(values)) as [string, unknown][];
    const inside = (name: string): string => (of === "" ? name : `${name} of ${of}`);
    for (const [name] of given) {
        if (!Object.hasOwn(fields, name)) {
            const meant = nearest(name, names);
            const known = names.length === 0 ? `It has no ${noun}s.` : `Use one of ${names.join(", ")}.`;
            return `There is no ${noun} ${inside(name)}. ${meant === undefined ? known : `Did you mean ${meant}?`}`;
        }
    }
    const missing = names.find((name) => fields[name]?.isNeeded && !given.some(([one]) => one === name));
    if (missing !== undefined) {
        return `${inside(missing)} is required.`;
    }
    return given.map(([name, one]) => fields[name]?.problem(inside(name), one)).find(Boolean);
}

/** The fields that are not undefined. */
export const definedOf = <T extends object>(values: T): T =>
    Object.fromEntries(Object.entries(values).filter(([, one]) => one !== undefined)) as T;

/** An object with the same names, and these values of its values. */
export const mapped = <V, R>(of: Readonly<Record<string, V>>, to: (value: V, name: string) => R): Record<string, R> =>
    Object.fromEntries(Object.entries(of).map(([name, value]) => [name, to(value, name)]));

export const isObject = (one: unknown): one is Readonly<Record<string, unknown>> =>
    typeof one === "object" && one !== null && !Array.isArray(one);

function shown(one: unknown): string {
    if (typeof one === "function") {
        return "a function";
    }
    return one === undefined || typeof one === "number" ? String(one) : JSON.stringify(one).slice(0, 100);
}
