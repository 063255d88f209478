import type { Values } from "./cases/property";
import { secretSignature, signatureKey } from "../../provider/hosts/codec";

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

/**
 * The engine encrypts returned properties whose names were secret in the request, that the provider marks as secret, or that
 * the program lists as additional secret outputs.
 */
export function returned(values: object, sent: Properties, additional: Iterable<string> = []): Properties {
    const entries = Object.entries(values) as [string, unknown][];
    const secret = entries.filter(([, value]) => isSecretValue(value)).map(([name]) => name);
    const plain = entries.map(([name, value]) => [name, isSecretValue(value) ? value.value : value] as const);
    return properties(Object.fromEntries(plain), [...sent.secrets, ...additional, ...secret]);
}

/** The values with marks on the secrets, as a host receives them that accepts secrets. */
export function marked({ values, secrets }: Properties): Record<string, unknown> {
    return Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
            name,
            secrets.has(name) ? { [signatureKey]: secretSignature, value } : value,
        ]),
    );
}

export const isSecretValue = (value: unknown): value is { value: unknown } =>
    typeof value === "object" && value !== null && signatureKey in value;
