import { unknown } from "../inputs/unknown";

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

/**
 * Encodes values for Pulumi. Omits undefined values. Marks values with a secret name, at any depth, as secrets, which
 * the engine always encrypts.
 */
export function encode(values: object, secretNames: ReadonlySet<string> = new Set()): Record<string, unknown> {
    return mapValues(
        values as Values,
        (value) => (value === unknown ? unknownText : value),
        (value, name) => (secretNames.has(name) && value !== unknownText ? markSecret(value) : value),
    );
}

/**
 * Encodes outputs for the state. Sets each of these names that is absent to null, because a preview treats a missing
 * output as unknown. An output that contains the text of a secret is a secret too: the host of a database contains the
 * id of its project.
 */
export function encodeOutputs(
    outputs: object,
    names: readonly string[],
    secretNames: ReadonlySet<string>,
): Record<string, unknown> {
    const texts = Object.entries(outputs).flatMap(([name, value]) => (secretNames.has(name) ? textsIn(value) : []));
    const encoded = Object.entries(encode(outputs, secretNames)).map(
        ([name, value]) => [name, name.startsWith("__") ? value : markDerived(value, texts)] as const,
    );
    return { ...Object.fromEntries(names.map((name) => [name, null])), ...Object.fromEntries(encoded) };
}

/** Shorter texts occur in many unrelated values. */
const shortestText = 3;

function textsIn(value: unknown): readonly string[] {
    if (typeof value === "string") {
        return value.length < shortestText ? [] : [value];
    }
    return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Marks the texts in an encoded value that contain one of these. */
function markDerived(value: unknown, texts: readonly string[]): unknown {
    if (typeof value === "string") {
        return texts.some((text) => value.includes(text)) ? markSecret(value) : value;
    }
    if (Array.isArray(value)) {
        return value.map((item) => markDerived(item, texts));
    }
    if (typeof value !== "object" || value === null || signatureKey in value) {
        return value;
    }
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, markDerived(member, texts)]));
}

function markSecret(value: unknown): Values {
    return { [signatureKey]: secretSignature, value };
}

function mapValues(
    values: Values,
    change: (value: unknown) => unknown,
    finish: (value: unknown, name: string) => unknown = (value) => value,
): Record<string, unknown> {
    const walk = (value: unknown): unknown => {
        if (Array.isArray(value)) {
            return value.map(walk);
        }
        return typeof value === "object" && value !== null ? mapValues(value as Values, change, finish) : change(value);
    };
    return Object.fromEntries(
        Object.entries(values)
            .filter(([, value]) => value !== undefined && value !== null)
            .map(([name, value]) => [name, finish(walk(value), name)]),
    );
}
