/** Values of a resource by name. */
export type Values = Readonly<Record<string, unknown>>;

/** Properties of a resource in the Pulumi state: plain values, and the names of the encrypted ones. */
export interface Properties {
    readonly values: Values;
    readonly secrets: ReadonlySet<string>;
}

/** Converts values to properties. They pass through JSON, as in the Pulumi state. */
export function properties(values: object, secrets: Iterable<string> = []): Properties {
    const kept = JSON.parse(JSON.stringify(values)) as Values;
    return { values: kept, secrets: new Set([...secrets].filter((name) => name in kept)) };
}

/** Pulumi represents a secret as an object with this key and `value`. */
const signatureKey = "4dabf18193072939515e22adb298388d";

/**
 * The engine encrypts returned properties whose names were secret in the request, that the provider marks as secret, or that
 * the program lists as additional secret outputs. It sends all of them in plain text.
 */
export function returned(values: object, sent: Properties, additional: Iterable<string> = []): Properties {
    const entries = Object.entries(values) as [string, unknown][];
    const marked = entries.filter(([, value]) => isSecret(value)).map(([name]) => name);
    const plain = entries.map(([name, value]) => [name, isSecret(value) ? value.value : value] as const);
    return properties(Object.fromEntries(plain), [...sent.secrets, ...additional, ...marked]);
}

const isSecret = (value: unknown): value is { value: unknown } =>
    typeof value === "object" && value !== null && signatureKey in value;

/** The properties as in the state file, in a preview and in a diff. */
export function asStored({ values, secrets }: Properties): string {
    return JSON.stringify(values, (name, value: unknown) => (secrets.has(name) ? "[secret]" : value));
}
