const HIDDEN = "[redacted]";

/** A copy without the values of fields that are called something with password, secret or token. */
export function redact(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(redact);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [key, /password|secret|token/i.test(key) ? HIDDEN : redact(inner)]),
    );
}

/** A request's body as it may be kept: parsed and without secrets. What is no JSON is not kept at all, as it could hold one. */
export function redactBody(body: string | undefined): unknown {
    if (body === undefined || body === "") return undefined;
    try {
        return redact(JSON.parse(body));
    } catch {
        return `[${body.length} characters that are not JSON]`;
    }
}
