import { entriesOf } from "../inputs/fields";
import { unknown } from "../inputs/unknown";
import { storedValues } from "../lifecycle/metadata";
import { secretNames } from "../contract/outputs";
import type { Resource, StateMetadata } from "../contract/resource";

/** Pulumi's representation of an unknown value. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Pulumi marks a secret as an object with this key and value, next to `value`. */
export const signatureKey = "4dabf18193072939515e22adb298388d";
export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

type Values = Readonly<Record<string, unknown>>;

/** Decodes values from Pulumi, at any depth: converts unknown values and removes nulls. */
export function decode(values: Values): Record<string, unknown> {
    return mapValues(values, (value) => (value === unknownText ? unknown : value));
}

/** Encodes values for Pulumi. Omits undefined values. */
export function encode(values: object): Record<string, unknown> {
    return mapValues(values as Values, (value) => (value === unknown ? unknownText : value));
}

/** Marks encoded values with these names as secrets, which the engine always encrypts. An encrypted null would look like a value. */
export function markSecrets(values: Values, names: Iterable<string>): Record<string, unknown> {
    const secretNames = new Set(names);
    const isPlain = (value: unknown) =>
        value !== unknownText && value !== null && (typeof value !== "object" || !(signatureKey in value));
    return Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
            name,
            secretNames.has(name) && isPlain(value) ? { [signatureKey]: secretSignature, value } : value,
        ]),
    );
}

function mapValues(values: Values, change: (value: unknown) => unknown): Record<string, unknown> {
    const walk = (value: unknown): unknown => {
        if (Array.isArray(value)) {
            return value.map(walk);
        }
        return typeof value === "object" && value !== null ? mapValues(value as Values, change) : change(value);
    };
    return Object.fromEntries(
        Object.entries(values)
            .filter(([, value]) => value !== undefined && value !== null)
            .map(([name, value]) => [name, walk(value)]),
    );
}

/** A hidden value that can contain any input, also one that the program declares as secret. */
const hiddenSecret: keyof StateMetadata = "__unconfirmed";

/**
 * Encodes inputs or outputs of a resource, with those marked that are always secret. The engine marks what the program
 * declares as secret.
 */
export function encodeValues(resource: Resource, values: object): Record<string, unknown> {
    return markSecrets(encode(values), [...secretNames(resource), hiddenSecret]);
}

/** Encodes the outputs of a state, with null for absent ones, because a preview treats a missing output as unknown. */
export function encodeState(resource: Resource, state: object): Record<string, unknown> {
    const { fields, outputs } = resource;
    const inputs = entriesOf(fields).filter(([, { onChange }]) => onChange !== "ignore");
    const others = Object.keys(outputs).filter((name) => !Object.hasOwn(fields, name));
    const absent = [...inputs.map(([name]) => name), ...others].map((name) => [name, null] as const);
    return { ...Object.fromEntries(absent), ...encodeValues(resource, storedValues(state)) };
}
