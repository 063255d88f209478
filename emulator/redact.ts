import type { OperationId } from "./wire";

const HIDDEN = "[redacted]";
const SECRET = /password|secret|token/i;

/** Operations whose complete body is secret, because even a misspelt field may contain the secret. */
const secretive: ReadonlySet<OperationId | undefined> = new Set<OperationId>(["updatePassword"]);

/** The parsed request body without the values of secrets. */
export function redactBody(operationId: OperationId | undefined, body: string | undefined): unknown {
    if (body === undefined || body === "") return undefined;
    try {
        return redact(JSON.parse(body), secretive.has(operationId));
    } catch {
        return `[${body.length} characters that are not JSON]`;
    }
}

function redact(value: unknown, isSecret: boolean): unknown {
    if (Array.isArray(value)) return value.map((item) => redact(item, isSecret));
    if (typeof value !== "object" || value === null) return isSecret ? HIDDEN : value;
    return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [key, redact(inner, isSecret || SECRET.test(key))]),
    );
}
