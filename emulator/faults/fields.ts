import { maxMs } from "../durations";
import type { Effect, EffectKind, EffectKinds } from "./fault";

/** The type of an effect's field. */
export type Field =
    { type: "number"; least: number; most: number } | { type: "flag" } | { type: "text" } | { type: string[] };

type FieldsOf<Kind extends EffectKind> = {
    [Name in keyof EffectKinds[Kind]]-?: Field &
        (undefined extends EffectKinds[Kind][Name] ? unknown : { needed: true });
};

const ms = { type: "number", least: 0, most: maxMs } as const;
const needed = { needed: true } as const;

/** The fields of each effect. A new field does not compile until it is listed here. */
const fieldsOf: { readonly [Kind in EffectKind]: FieldsOf<Kind> } = {
    answer: {
        status: { type: "number", least: 300, most: 599, ...needed },
        body: { type: ["json", "html", "empty"] },
        retryAfterMs: ms,
        retryAfterForm: { type: ["seconds", "date"] },
        carriedOut: { type: "flag" },
    },
    reset: { when: { type: ["before", "after", "middle"], ...needed } },
    delay: { ms: { ...ms, ...needed } },
    unanswered: { carriedOut: { type: "flag" } },
    malformed: {},
    truncated: {},
    unknowns: {},
    stale: { ms: { ...ms, ...needed } },
    hidden: { ms: { ...ms, ...needed } },
    omit: {},
    malformedEntry: {},
    nullList: {},
    otherObject: {},
    closes: {},
    tokenExpires: {},
    unlisted: { ms: { ...ms, ...needed } },
    stuck: { ms: { ...ms, ...needed } },
    status: { status: { type: "text", ...needed }, ms },
    peeringFails: { message: { type: "text" }, status: { type: "text" }, ms },
};

export const effectKinds = Object.keys(fieldsOf) as EffectKind[];

export const isEffectKind = (name: unknown): name is EffectKind => effectKinds.some((kind) => kind === name);

/** The fields of an effect by name. */
export const fieldsOfKind = (kind: EffectKind): Readonly<Record<string, Field & { needed?: true }>> => fieldsOf[kind];

/** The first problem of an effect, as a sentence. Undefined if the effect is valid. */
export function effectProblem(effect: { kind: EffectKind } & Readonly<Record<string, unknown>>): string | undefined {
    const { kind, ...values } = effect;
    const fields = fieldsOfKind(kind);
    const missing = Object.keys(fields).find((name) => fields[name]?.needed && values[name] === undefined);
    if (missing !== undefined) {
        return `${kind} requires ${missing}.`;
    }
    for (const [name, value] of Object.entries(values)) {
        const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
        const names = Object.keys(fields).join(", ");
        if (!field) {
            return `${kind} has no field ${name}. ${names === "" ? "It has no fields" : `Its fields are ${names}`}.`;
        }
        const expected = expectedOf(field, value);
        if (expected !== undefined) {
            return `${name} of ${kind} must be ${expected}, not ${JSON.stringify(value)}.`;
        }
    }
    return undefined;
}

/** Parses a value of the short form, in which all values are text. */
export function fromText(field: Field, text: string): unknown {
    if (field.type === "number") {
        return text === "" ? NaN : Number(text);
    }
    if (field.type === "flag") {
        return text === "true" ? true : text === "false" ? false : text;
    }
    return text;
}

/** The fields of an effect that are set, in the order of the table. */
export function valuesOf(effect: Effect): [name: string, value: unknown][] {
    const values = effect as Readonly<Record<string, unknown>>;
    return Object.keys(fieldsOf[effect.kind])
        .filter((name) => values[name] !== undefined)
        .map((name) => [name, values[name]]);
}

function expectedOf(field: Field, value: unknown): string | undefined {
    if (Array.isArray(field.type)) {
        return field.type.some((one) => one === value) ? undefined : `one of ${field.type.join(", ")}`;
    }
    if (field.type === "number") {
        const { least, most } = field;
        return isWhole(value, least, most) ? undefined : `an integer from ${least} to ${most}`;
    }
    if (field.type === "flag") {
        return typeof value === "boolean" ? undefined : "true or false";
    }
    return typeof value === "string" && value !== "" ? undefined : "a non-empty string";
}

const isWhole = (value: unknown, least: number, most: number): boolean =>
    typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
