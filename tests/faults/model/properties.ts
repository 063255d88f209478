/** Values of a resource by name. */
export type Values = Readonly<Record<string, unknown>>;

/** Properties of a resource as Pulumi keeps them: plain values, and the names under which they are encrypted. */
export interface Properties {
    readonly values: Values;
    readonly secrets: ReadonlySet<string>;
}

/** Properties that have passed through JSON, as everything does that Pulumi keeps. */
export function properties(values: object, secrets: Iterable<string> = []): Properties {
    const kept = JSON.parse(JSON.stringify(values)) as Values;
    return { values: kept, secrets: new Set([...secrets].filter((name) => name in kept)) };
}

/** Pulumi marks a secret as an object with this key beside `value`. */
const signatureKey = "4dabf18193072939515e22adb298388d";

/**
 * The engine encrypts what a provider returns under a name that was secret in what the provider was sent, what the
 * provider marks as a secret, and what the program lists as additional secret outputs. It sends all of it in plain text.
 */
export function returned(values: object, sent: Properties, additional: Iterable<string> = []): Properties {
    const entries = Object.entries(values) as [string, unknown][];
    const marked = entries.filter(([, value]) => isSecret(value)).map(([name]) => name);
    const plain = entries.map(([name, value]) => [name, isSecret(value) ? value.value : value] as const);
    return properties(Object.fromEntries(plain), [...sent.secrets, ...additional, ...marked]);
}

const isSecret = (value: unknown): value is { value: unknown } =>
    typeof value === "object" && value !== null && signatureKey in value;

/** The properties as they are in a file of the state, in a preview and in a diff. */
export function asStored({ values, secrets }: Properties): string {
    return JSON.stringify(values, (name, value: unknown) => (secrets.has(name) ? "[secret]" : value));
}
