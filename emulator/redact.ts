import { secretFields, type Route } from "./contract";

const hidden = "[redacted]";

/**
 * The body of a request, parsed and without the values of secret fields. Where the operation takes a secret, all values
 * are left out, because a misspelt field may hold it.
 */
export function redactBody(route: Pick<Route, "takesSecret"> | undefined, body: string | undefined): unknown {
    if (body === undefined || body === "") {
        return undefined;
    }
    try {
        return redact(JSON.parse(body), route?.takesSecret ?? false);
    } catch {
        return `[${body.length} characters that are not JSON]`;
    }
}

function redact(value: unknown, isSecret: boolean): unknown {
    if (Array.isArray(value)) {
        return value.map((item) => redact(item, isSecret));
    }
    if (typeof value !== "object" || value === null) {
        return isSecret ? hidden : value;
    }
    return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [key, redact(inner, isSecret || secretFields.has(key))]),
    );
}
