import { isObject } from "../schema";
import { unknownWord, type Fields, type Schemas } from "./members";

// What an API of another make says differently, with the same meaning, anywhere in its answers.

/** A rule that the emulator, or the world, applies has nothing to say. */
export interface Rule {
    /** Takes what the API says, and returns what it says in the dialect. `turn` is the number of the response. */
    readonly say?: (value: unknown, of: Schemas, name: string, turn: number) => unknown;
    /** Whether a seed never draws it, because the API then accepts or shows less. */
    readonly isOnlyNamed?: true;
}

/** A rule for texts. */
const texts = (form: (text: string, of: Schemas, name: string) => string): Rule => ({
    say: (value, of, name) => (typeof value === "string" ? form(value, of, name) : value),
});
/** A rule for objects. */
const objects = (form: (fields: Fields, of: Schemas) => Fields): Rule => ({
    say: (value, of) => (isObject(value) ? form(value, of) : value),
});
/** A rule for services, by name only. */
const ofServices = (form: (fields: Fields) => Fields): Rule => ({
    ...objects((fields, { described: { title } }) => (title === "Service" ? form(fields) : fields)),
    isOnlyNamed: true,
});
const times = (form: (time: string) => string): Rule =>
    texts((text, { contract: { format } }) => (format === "date-time" ? form(text) : text));

const zoneMinutes = 330;
const zone = "+05:30";
const minuteMs = 60_000;
/** The statuses with the meaning of more common ones. */
export const otherStatuses: Readonly<Partial<Record<number, number>>> = { 404: 410, 409: 423, 429: 425 };
const finalWords: Readonly<Record<string, string>> = { UNSTABLE: "FAILED", error: "ERROR" };

/** In the order in which they are applied. */
export const rules = {
    /** Lists of services contain an entry for each read replica set. */
    "standbys-listed": {},
    /** A paused service rejects a password, a tag and a pooler. */
    "paused-locked": { isOnlyNamed: true },
    /** Sizes, regions, synchronous replicas and passwords outside of the documented limits are rejected. */
    limits: { isOnlyNamed: true },
    /** Requests may have regions in any case. Answers have them as the world keeps them. */
    "regions-lower": {},
    "regions-upper": texts((text, _, name) => (name.endsWith("region_code") ? text.toUpperCase() : text)),
    /** The environment tag is free text. */
    "environments-lower": texts((text, _, name) => (name === "environment" ? text.toLowerCase() : text)),
    /** A service in a VPC has no other endpoint. */
    "vpc-endpoint-only": ofServices((fields) =>
        fields.status === "READY" && isObject(fields.vpc_endpoint ?? fields.vpcEndpoint)
            ? { ...fields, endpoint: undefined }
            : fields,
    ),
    /** No answer ever shows the size of a service. */
    "sizes-hidden": ofServices((fields) => ("resources" in fields ? { ...fields, resources: [] } : fields)),
    /** A paused service shows no size. */
    "paused-sizeless": ofServices((fields) =>
        fields.status === "PAUSED" && Array.isArray(fields.resources)
            ? { ...fields, resources: fields.resources.map((one: object) => ({ ...one, spec: {} })) }
            : fields,
    ),
    /** Ids of services and replica sets have capital letters and hyphens. */
    "ids-other": { isOnlyNamed: true },
    /** Errors have other statuses with the same meaning: 410, 423 and 425. */
    "statuses-other": { isOnlyNamed: true },
    "times-offset": times((time) =>
        new Date(Date.parse(time) + zoneMinutes * minuteMs).toISOString().replace("Z", zone),
    ),
    "times-fraction": times((time) => time.replace(/(\.\d+)(?=Z|[+-])/, "$1000000")),
    /** The service type has the word of the platform, and the status of a peering, which is free text, other ones. */
    "other-words": texts(
        (text, { contract: { anyOf: [known] = [], "x-synonyms": synonyms = known?.["x-synonyms"] } }) =>
            synonyms?.[text] ?? text,
    ),
    /** What is unstable or has an error has failed. The description does not have these words. */
    "final-words": texts((text, _, name) => (name === "status" ? (finalWords[text] ?? text) : text)),
    /** Open enumerations have values that nobody knows, so that no status is known. */
    "unknown-values": {
        ...texts((text, _, name) => (/^(status|service_type|type)$/.test(name) ? unknownWord : text)),
        isOnlyNamed: true,
    },
    /** Lists of resources have a defined order nowhere. Other lists, such as logs, have one. */
    "lists-reordered": {
        say: (value, { contract }, _, turn) =>
            Array.isArray(value) && turn % 2 === 1 && "name" in (contract.items?.properties ?? {})
                ? [...(value as unknown[])].reverse()
                : value,
    },
    /** A member with two names has only the deprecated one, if the description requires neither. */
    "deprecated-only": objects((fields, { described, contract: { properties = {} } }) => {
        const replaced = Object.keys(fields).map((name) => properties[name]?.["x-replaced-by"]);
        const isKept = (name: string) => described.fields?.[name]?.required === true || !replaced.includes(name);
        return Object.fromEntries(Object.entries(fields).filter(([name]) => isKept(name)));
    }),
    /** Absent objects, lists and texts are empty. */
    empties: {},
    nulls: {},
    /** Objects have fields that the API adds one day, and errors have details. */
    "further-fields": objects((fields, { described: { title } }) => ({
        ...fields,
        x_field_of_the_future: { since: 2, kinds: ["a", null] },
        ...(title === "Error" && { details: "These are the details of the emulator." }),
    })),
    /** The API has exactly the operations and the inputs of the reference, and a resize takes only digits. */
    strict: { isOnlyNamed: true },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rules;
