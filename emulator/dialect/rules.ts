import type { Schema } from "../contract";
import { emptyOf, type Fields, type Schemas } from "./members";

// What an API of another make says differently, with the same meaning, anywhere in its answers.

/** Each part takes what the API says, and returns what it says in the dialect. */
export interface Rule {
    readonly object?: (fields: Fields, schemas: Schemas) => Fields;
    readonly text?: (text: string, name: string, schemas: Schemas) => string;
    /** `turn` is the number of the response. */
    readonly list?: (items: readonly unknown[], schemas: Schemas, turn: number) => readonly unknown[];
    /** Whether a seed never draws it, because the API then accepts or shows less. */
    readonly isOnlyNamed?: true;
}

const regions = (form: (code: string) => string): Rule => ({
    text: (text, name) => (name.endsWith("region_code") ? form(text) : text),
});
const times = (form: (time: string) => string): Rule => ({
    text: (text, _, { contract: { format } }) => (format === "date-time" ? form(text) : text),
});
/** Fills the optional fields that are absent. `filler` returns undefined for those that stay absent. */
const filled = (filler: (schema: Schema) => unknown): Rule => ({
    object: (fields, { described: { properties = {}, required = [] } }) => ({
        ...Object.fromEntries(
            Object.entries(properties)
                .filter(([name]) => !required.includes(name))
                .map(([name, schema]) => [name, filler(schema)]),
        ),
        ...fields,
    }),
});

const zoneMinutes = 330;
const zone = "+05:30";
const minuteMs = 60_000;
const finalWords: Readonly<Record<string, string>> = { UNSTABLE: "FAILED", error: "ERROR" };

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
    /** The service type has the word of the platform, and the status of a peering, which is free text, other ones. */
    "other-words": {
        text: (text, _, { contract: { anyOf: [known] = [], "x-synonyms": synonyms = known?.["x-synonyms"] } }) =>
            synonyms?.[text] ?? text,
    },
    /** What is unstable or has an error has failed. The description does not have these words. */
    "final-words": {
        text: (text, name) => (name === "status" ? (finalWords[text] ?? text) : text),
    },
    /** Open enumerations have values that nobody knows, so that no status is known. */
    "unknown-values": {
        text: (text, name) => (/^(status|service_type|type)$/.test(name) ? "VALUE_OF_THE_FUTURE" : text),
        isOnlyNamed: true,
    },
    /** Lists of resources have a defined order nowhere. Other lists, such as logs, have one. */
    "lists-reordered": {
        list: (items, { contract: { items: { properties = {} } = {} } }, turn) =>
            turn % 2 === 1 && "name" in properties ? [...items].reverse() : items,
    },
    /** Absent objects, lists and texts are empty. */
    empties: filled(emptyOf),
    nulls: filled(() => null),
    /** Objects have fields that the API adds one day, and errors have details. */
    "further-fields": {
        object: (fields, { described: { title } }) => ({
            ...fields,
            x_field_of_the_future: { since: 2, kinds: ["a", null] },
            ...(title === "Error" && { details: "These are the details of the emulator." }),
        }),
    },
    /** The API has exactly the operations and the inputs of the reference, and a resize takes only digits. */
    strict: { isOnlyNamed: true },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rules;
