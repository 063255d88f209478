import { suggestion, typeNameOf } from "./message";

/** The effect of changing an input. */
export type OnChange =
    /** The resource is replaced. */
    | "replace"
    /** The resource is updated in place by API calls. */
    | "update"
    /** Only the state records the input. A change sends no request and does not wait. */
    | "stateOnly"
    /** The input selects the state to wait for. A change sends only reads to the API. */
    | "await"
    /** The input is read only at creation. A later change has no effect. */
    | "ignore";

/** Returns the problem of a known value, as the end of a sentence that begins with the property and its value. */
export type Test = (value: unknown) => string | undefined;

/** One input of a resource. */
export interface Field {
    readonly onChange: OnChange;
    readonly required: boolean;
    readonly test: Test;
    /** Whether messages must not show the value. */
    readonly secret: boolean;
    /** The properties of an object. */
    readonly properties?: Readonly<Record<string, Field>>;
    /**
     * Maps a value to its canonical form, if the API may return it in another one. A check makes it of what an update sets, such as a
     * list without order. What a replacement sets keeps its form, such as a region in capital letters. Without a form of its own, it
     * is compared in any letters, unless it is an id.
     */
    readonly canonical?: (value: unknown) => unknown;
    /** Whether the state forgets the value when the program removes the input. Otherwise, it keeps the value that is in force. */
    readonly isForgotten?: true;
    /**
     * Whether another value is no change: with `passwordFile: "/ci/orders"` in a pipeline and `"orders.txt"` on a laptop, only a new
     * `passwordVersion` is one.
     */
    readonly isVersioned?: true;
    /** Whether an empty value counts as absent: `vpcId: ""` of a service without a VPC. It detaches no service that has one. */
    readonly isAbsentIfEmpty?: true;
}

/** Classifies every input of a resource. A new input does not compile until it is classified. */
export type Fields<Inputs> = { readonly [Key in keyof Required<Inputs>]: Field };

/** A required input. */
export const required = (onChange: OnChange, test: Test): Field => ({
    onChange,
    test,
    required: true,
    secret: false,
    ...(onChange === "replace" && { canonical: anyCase }),
});

/** An optional input. */
export const optional = (onChange: OnChange, test: Test): Field => ({ ...required(onChange, test), required: false });

/** A required id, of which each letter counts. Another one replaces the resource. */
export const requiredId = (test: Test): Field => ({ onChange: "replace", test, required: true, secret: false });

/** An optional input whose value is never shown. */
export const secret = (onChange: OnChange, test: Test): Field => ({ onChange, test, required: false, secret: true });

/** The form of a text that an API may trim, write in small or capital letters, or compose. */
export const anyCase = (value: unknown): unknown =>
    typeof value === "string" ? value.trim().toLowerCase().normalize("NFC") : value;

/** The form of a list whose order has no meaning, and which an API may sort. One with computed items stays as it is. */
export const asSet = (list: unknown): unknown =>
    Array.isArray(list) && !hasComputed(list) ? [...new Set<unknown>(list)].sort() : list;

/** Whether two texts, such as names, differ at most in a form that an API may give them. */
export const isSameText = (left: unknown, right: unknown): boolean => same(anyCase(left), anyCase(right));

const isEmpty = "is empty; set a value or remove the property";
const isNumber = "is a number; put it in quotes";

/** A form that an empty string need not have. It has this problem instead, or none. */
export const whenEmpty =
    (problem: string | undefined, form: Test): Test =>
    (value) =>
        value === "" ? problem : form(value);

/** The id in an optional input. The SDKs of some languages pass an empty string for an output without a value. */
export function optionalId(form: Test, remedy = "remove it"): Test {
    return whenEmpty(`has no value; correct the output that it is set to, or ${remedy}`, form);
}

export function text(maxLength = Infinity): Test {
    return (value) => {
        if (typeof value !== "string") {
            return typeof value === "number" ? isNumber : `is ${typeNameOf(value)}; use a string`;
        }
        if (value.trim() === "") {
            return isEmpty;
        }
        const { length } = Array.from(value);
        return length > maxLength ? `has ${length} characters; use at most ${maxLength}` : undefined;
    };
}

/** The name of a resource. */
export function nameText(maxLength?: number): Test {
    const test = text(maxLength);
    return (value) =>
        test(value) ?? (String(value) === String(value).trim() ? undefined : "has blanks at its ends; remove them");
}

export function pattern(expression: RegExp, expected: string): Test {
    const fits = (value: unknown) => typeof value === "string" && expression.test(value);
    return (value) =>
        fits(value) ? undefined : typeof value === "number" ? isNumber : `is not valid; use ${expected}`;
}

/** The project of a resource. */
export const projectField: Field = {
    ...requiredId(pattern(/^[a-z0-9]{10}$/, "the id of a project (10 lower-case letters and digits)")),
    required: false,
};

export function oneOf(allowed: readonly string[]): Test {
    return (value) =>
        typeof value === "string" && allowed.includes(value)
            ? undefined
            : `is not allowed; use ${alternatives(allowed.map(show))}`;
}

export function wholeNumber(smallest: number): Test {
    return (value) =>
        typeof value === "number" && Number.isInteger(value) && value >= smallest
            ? undefined
            : `is not allowed; use a whole number of at least ${smallest}`;
}

/** A number above 0, or "shared". */
export const size: Test = (value) =>
    value === "shared" || (typeof value === "number" && Number.isFinite(value) && value > 0)
        ? undefined
        : 'is not a size; use a number above 0 or "shared"';

export const flag: Test = (value) =>
    typeof value === "boolean" ? undefined : `is ${typeNameOf(value)}; use true or false`;

export function arrayOf(test: Test): Test {
    return (value) => {
        if (!Array.isArray(value)) {
            return `is ${typeNameOf(value)}; use an array`;
        }
        const invalid: unknown = value.find((item) => item !== computed && test(item) !== undefined);
        return invalid === undefined ? undefined : `contains ${show(invalid)}, which ${test(invalid) ?? ""}`;
    };
}

/** An optional input that is an object with these properties. */
export function object(onChange: OnChange, properties: Readonly<Record<string, Field>>): Field {
    const names = Object.entries(properties).map(([name, { required }]) => `${name}${required ? "" : "?"}`);
    const test = (value: unknown) =>
        typeof value === "object" && value !== null && !Array.isArray(value)
            ? undefined
            : `is ${typeNameOf(value)}; use { ${names.join(", ")} }`;
    return { onChange, test, required: false, secret: false, properties };
}

/** The inputs as a check returns them: what an update sets has its canonical form. */
export function inCanonicalForm<Inputs extends object>(
    inputs: Inputs,
    fields: Readonly<Record<string, Field>>,
): Inputs {
    const formed = Object.entries(fields).flatMap(([name, { onChange, canonical }]) =>
        onChange === "update" && canonical && name in inputs ? [[name, canonical(valueOf(inputs, name))]] : [],
    );
    return { ...inputs, ...Object.fromEntries(formed) } as Inputs;
}

/** The problems of single inputs: unexpected names, missing inputs and invalid values. Unknown values are valid. */
export function checkFields(inputs: object, fields: Readonly<Record<string, Field>>, prefix = ""): string[] {
    const names = Object.keys(fields);
    const unexpected = Object.keys(inputs)
        .filter((name) => !Object.hasOwn(fields, name))
        .map(
            (name) =>
                `${prefix}${name} is not a property of this resource; ${suggestion(name, names, "the properties")}`,
        );
    const findings = Object.entries(fields).flatMap(([name, { required, test, secret, properties }]): string[] => {
        const value = valueOf(inputs, name);
        const path = `${prefix}${name}`;
        if (value === undefined || value === null) {
            return required ? [`${path} is missing; set a value`] : [];
        }
        if (value === computed) {
            return [];
        }
        const problem = test(value);
        if (problem !== undefined) {
            return [`${path} ${secret ? "" : `${show(value)} `}${problem}`];
        }
        return properties === undefined ? [] : checkFields(value, properties, `${path}.`);
    });
    return [...unexpected, ...findings];
}

/** Whether two values of an input are equal. Computed values are never equal. */
export function same(left: unknown, right: unknown): boolean {
    if (hasComputed(left) || hasComputed(right)) {
        return false;
    }
    return asJson(left) === asJson(right);
}

/** Whether two values of this input are equal, whatever their form is. Computed values are never equal. */
export function sameIn(field: Field, left: unknown, right: unknown): boolean {
    return same(comparable(field, left), comparable(field, right));
}

/** What a comparison sees of a value: its canonical form, without the members that are read only at the creation. */
export function comparable({ canonical = (one) => one, properties }: Partial<Field>, value: unknown): unknown {
    if (properties === undefined || typeof value !== "object" || value === null) {
        return canonical(value);
    }
    const compared = Object.entries(properties).filter(([, { onChange }]) => onChange !== "ignore");
    return Object.fromEntries(compared.map(([name, field]) => [name, comparable(field, valueOf(value, name))]));
}

/** A declared value of this input, with those members of the value before it that are read only at the creation. */
export function keptIn({ properties = {} }: Field, before: unknown, value: unknown): unknown {
    const names = Object.keys(properties).filter((name) => properties[name]?.onChange === "ignore");
    return names.length > 0 && typeof value === "object" && typeof before === "object"
        ? { ...value, ...pick(before ?? {}, names) }
        : (value ?? before);
}

/** Formats a value as in a program. */
export function show(value: unknown): string {
    if (value === computed) {
        return "(known after apply)";
    }
    if (typeof value === "number") {
        // JSON has no NaN and no Infinity.
        return String(value);
    }
    return value === undefined || value === null ? "none" : asJson(value);
}

/** Formats a value for a sentence: strings have no quotes. */
export function plain(value: unknown): string {
    return typeof value === "string" ? value : show(value);
}

/** The effect of changing an input. Undefined if there is no such input. */
export function onChangeOf(fields: object, name: string): OnChange | undefined {
    return (valueOf(fields, name) as Field | undefined)?.onChange;
}

/** Reads a property whose name is only known as a string. */
export function valueOf(object: object, name: string): unknown {
    return (object as Record<string, unknown>)[name];
}

/** The properties with these names that have a value. */
export function pick(values: object, names: readonly string[]): Record<string, unknown> {
    const named = names.map((name) => [name, valueOf(values, name)] as const);
    return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

/** A value without members that have none, in one order: equal values have one text. */
function asJson(value: unknown): string {
    return JSON.stringify(value ?? null, (_, inner: unknown) =>
        inner === computed
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

function alternatives(words: readonly string[]): string {
    return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;
}

/** A value that only an update will know: what Pulumi's protocol calls computed, and a message "known after apply". */
export const computed: unique symbol = Symbol("known after apply");
export type Computed = typeof computed;

/** Inputs with values that may be computed. */
export type Planned<Inputs> = { readonly [Key in keyof Inputs]: Inputs[Key] | Computed };

/** Whether a value is computed or contains a computed value. */
export function hasComputed(value: unknown): boolean {
    if (value === computed) {
        return true;
    }
    return typeof value === "object" && value !== null && Object.values(value).some(hasComputed);
}

/** The result of a validation, as texts that begin with the property. */
export interface Findings {
    readonly problems: readonly string[];
    readonly warnings: readonly string[];
}
