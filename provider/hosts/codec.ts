import { type OnChange, pick, valueOf, computed } from "../base/fields";
import { outputsWhere, secretNames } from "../model/outputs";
import type { Resource, State } from "../model/resource";
import { CloudDbError } from "../api/callErrors";
import { messages } from "../lifecycle/messages";
import { latestOf, migrations } from "./migrations";

/** Pulumi's representation of an unknown value. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Pulumi marks a secret as an object with this key and value, next to `value`. */
export const signatureKey = "4dabf18193072939515e22adb298388d";
export const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** Properties in Pulumi's encoding. */
export type Values = Readonly<Record<string, unknown>>;

/** Decodes values from Pulumi, at any depth: converts unknown values and removes nulls. */
export function decode(values: Values): Record<string, unknown> {
    return replaced(values, (value) => (value === unknownText ? computed : value)) as Record<string, unknown>;
}

/** Encodes values for Pulumi. Omits undefined values. */
export function encode(values: object): Record<string, unknown> {
    return replaced(values, (value) => (value === computed ? unknownText : value)) as Record<string, unknown>;
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

/** The value with replacements at any depth, the outer ones first, and without properties that have no value. */
export function replaced(value: unknown, replacement: (value: unknown) => unknown): unknown {
    const found = replacement(value);
    if (!Object.is(found, value)) {
        return replaced(found, replacement);
    }
    if (Array.isArray(value)) {
        return value.map((item) => replaced(item, replacement));
    }
    if (typeof value !== "object" || value === null) {
        return value;
    }
    const entries = Object.entries(value).map(([name, inner]) => [name, replaced(inner, replacement)] as const);
    return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined && inner !== null));
}

/**
 * Encodes inputs or outputs of a resource, with those marked that are always secret. The engine marks what the program
 * declares as secret.
 */
export function encodeValues(resource: Resource, values: object): Record<string, unknown> {
    return markSecrets(encode(values), secretNames(resource));
}

/** The key under which the state contains its record. */
const recordKey = "__record";

/**
 * Encodes a state. What is absent (`vpcHost` without a VPC) is null, because a preview takes an output that is missing for unknown.
 * What is in `record.added` stays missing, so that the next run finds it again. Inputs that only the state has are no outputs, and need
 * no null.
 */
export function encodeState(resource: Resource, state: State): Record<string, unknown> {
    const { added = [], ...others } = state.record;
    const known = storedNames(resource, ["stateOnly"]).filter((name) => !added.includes(name));
    const absent = Object.fromEntries(known.map((name) => [name, null]));
    const record = { version: latestOf(migrations), ...others };
    const values = encode({ ...pick(state, storedNames(resource)), [recordKey]: record });
    return markSecrets({ ...absent, ...values }, [...secretNames(resource), recordKey]);
}

/** A state, whose record has the number of its form. */
interface StoredValues extends Values {
    readonly [recordKey]?: { readonly version?: unknown; readonly [name: string]: unknown };
}

/** Whether these values contain a state. */
export const hasRecord = (values: object): boolean => valueOf(values, recordKey) !== undefined;

/** The state in a request of the engine, with its present URN if the request has one. */
export function decodeState(resource: Resource, stored: Values, urn?: string, all = migrations): State {
    const { [recordKey]: { version, ...record } = {}, ...values } = decode(stored) as StoredValues;
    if (typeof version !== "number") {
        throw new CloudDbError(messages.recordLost(resource.noun, urn));
    }
    if (version > latestOf(all)) {
        throw new CloudDbError(messages.writtenByLater(resource.noun, urn, version, latestOf(all)));
    }
    const state = all.slice(version - 1).reduce((older, migrate) => migrate(older), { values, record });
    const added = outputsWhere(resource.outputs, (one) => "byDefault" in one).filter((name) => !(name in stored));
    return {
        ...pick(state.values, storedNames(resource)),
        record: { ...state.record, ...(added.length > 0 && { added }), ...(urn === undefined ? {} : { urn }) },
    } as unknown as State;
}

/** The outputs that a state contains, and the inputs but those whose change has one of these effects. */
function storedNames({ fields, outputs }: Resource, without: readonly OnChange[] = []): readonly string[] {
    const inputs = Object.entries(fields).filter(
        ([, { onChange }]) => onChange !== "ignore" && !without.includes(onChange),
    );
    return [...new Set([...inputs.map(([name]) => name), ...Object.keys(outputs)])];
}
