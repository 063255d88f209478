import { unknown } from "../inputs/unknown";

/** How Pulumi writes a value that a preview cannot know yet. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** How Pulumi marks an object that is a secret: this key has this value beside `value`. */
const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

type Values = Readonly<Record<string, unknown>>;

/** What came from Pulumi, with its mark of unknown values made into ours, at any depth, and nulls taken for absent. */
export function decode(values: Values): Record<string, unknown> {
    return mapValues(values, (value) => (value === unknownText ? unknown : value));
}

/**
 * The other way; what is undefined is left out. Values under a secret name, at any depth, are marked as secrets: the engine
 * encrypts these, whatever else it knows of the property.
 */
export function encode(values: object, secretNames: ReadonlySet<string> = new Set()): Record<string, unknown> {
    return mapValues(
        values as Values,
        (value) => (value === unknown ? unknownText : value),
        (value, name) => (secretNames.has(name) && value !== unknownText ? markSecret(value) : value),
    );
}

/** Outputs as the state keeps them. An absent one of these names is null, because a preview takes a missing one for unknown. */
export function encodeOutputs(
    outputs: object,
    names: readonly string[],
    secretNames: ReadonlySet<string>,
): Record<string, unknown> {
    return { ...Object.fromEntries(names.map((name) => [name, null])), ...encode(outputs, secretNames) };
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
