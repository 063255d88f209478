import { isDeepStrictEqual } from "node:util";
import type { Schema } from "../contract";
import { isObject } from "../schema";

// What an API of another make says differently, with the same meaning. The contract says where: no rule has the name of a field.

/** The fields of an object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Each part takes what the API says, and returns what it says in the dialect. */
export interface Rule {
    readonly object?: (fields: Fields, schema: Schema) => Fields;
    readonly text?: (text: string, name: string, schema: Schema) => string;
    /** `turn` is the number of the response. */
    readonly list?: (items: readonly unknown[], schema: Schema, turn: number) => readonly unknown[];
    /** The body of an error. The first rule that has this decides. */
    readonly error?: (error: { code: string; message: string }) => { type: string; body: string };
    /** Whether a seed never draws it, because the API then accepts or shows less. */
    readonly isOnlyNamed?: true;
}

/** A field that the API adds one day. */
const futureField = { x_field_of_the_future: { since: 2, kinds: ["a", null] } };

const json = (body: object) => ({ type: "application/json", body: JSON.stringify(body) });
const regions = (form: (code: string) => string): Rule => ({
    text: (text, name) => (name.endsWith("region_code") ? form(text) : text),
});
const times = (form: (time: string) => string): Rule => ({
    text: (text, _, { format }) => (format === "date-time" ? form(text) : text),
});

/** Fills the optional fields that are absent. `filler` returns undefined for those that stay absent. */
const filled = (filler: (schema: Schema) => unknown): Rule => ({
    object: (fields, { properties = {}, required = [] }) => ({
        ...Object.fromEntries(
            Object.entries(properties)
                .filter(([name]) => !required.includes(name))
                .map(([name, schema]) => [name, filler(schema)]),
        ),
        ...fields,
    }),
});

const emptyOf = ({ anyOf: [first] = [], properties, type = first?.type }: Schema): unknown =>
    properties ? {} : type === "array" ? [] : type === "string" ? "" : undefined;

/** Whether an optional field says the same if it is absent, or nothing. */
function canBeAbsent(value: unknown, schema: Schema): boolean {
    const { "x-absent-means": meaning, "x-unread": isUnread } = schema;
    const isEmpty = isObject(value) && Object.keys(value).length === 0;
    return isEmpty || isUnread === true || isDeepStrictEqual(value, meaning);
}

const zoneMinutes = 330;
const zone = "+05:30";
const minuteMs = 60_000;

/** In the order in which they are applied. */
export const rules = {
    /** Lists of services contain an entry for each read replica set. */
    "standbys-listed": {},
    /** A paused service rejects a password, a tag and a pooler. */
    "paused-locked": { isOnlyNamed: true },
    /** Requests may have regions in any case. Answers have them as the world keeps them. */
    "regions-lower": {},
    "regions-upper": regions((code) => code.toUpperCase()),
    "times-offset": times((time) =>
        new Date(Date.parse(time) + zoneMinutes * minuteMs).toISOString().replace("Z", zone),
    ),
    "times-fraction": times((time) => time.replace(/(\.\d+)(?=Z|[+-])/, "$1000000")),
    /** Open enumerations have words that the contract does not have. */
    "other-words": {
        text: (text, _, { anyOf = [], "x-synonyms": synonyms }) =>
            (synonyms ?? anyOf.find((one) => one["x-synonyms"])?.["x-synonyms"])?.[text] ?? text,
    },
    /** Open enumerations have values that nobody knows, so that no status is known. */
    "unknown-values": {
        text: (text, name) => (/^(status|service_type|type)$/.test(name) ? "VALUE_OF_THE_FUTURE" : text),
        isOnlyNamed: true,
    },
    /** Lists of resources have a defined order nowhere. Other lists, such as logs, have one. */
    "lists-reordered": {
        list: (items, { items: { properties = {} } = {} }, turn) =>
            turn % 2 === 1 && "name" in properties ? [...items].reverse() : items,
    },
    /** Optional fields are absent if that says the same, or nothing. */
    "left-out": {
        object: (fields, { properties = {}, required = [] }) =>
            Object.fromEntries(
                Object.entries(fields).filter(
                    ([name, value]) => required.includes(name) || !canBeAbsent(value, properties[name] ?? {}),
                ),
            ),
    },
    /** Fields have their deprecated name only, instead of both. */
    "deprecated-only": {
        object: (fields, { properties = {} }) => {
            const replaced = Object.keys(fields).map((name) => properties[name]?.["x-replaced-by"]);
            return Object.fromEntries(Object.entries(fields).filter(([name]) => !replaced.includes(name)));
        },
    },
    /** Absent objects, lists and texts are empty. */
    empties: filled(emptyOf),
    nulls: filled(() => null),
    "unknown-fields": { object: (fields) => ({ ...fields, ...futureField }) },
    /** Errors 5XX, which a proxy in front of the API can answer, have another form. */
    "errors-without-code": { error: ({ message }) => json({ message }) },
    "errors-array": { error: ({ message }) => json({ errors: [{ message }] }) },
    "errors-text": { error: ({ message }) => ({ type: "text/plain", body: message }) },
    "errors-html": {
        error: ({ message }) => ({ type: "text/html", body: `<html><body><h1>${message}</h1></body></html>` }),
    },
    /** The API has exactly the operations and the inputs of the reference, and a resize takes only digits. */
    strict: { isOnlyNamed: true },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rules;
