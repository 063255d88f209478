import { secretFields, type Route } from "./contract";
import { mapped } from "./schema";

const hidden = "[redacted]";

/**
 * A body, parsed and without the values of secret fields. If the operation takes a secret, all values are left out, because a
 * misspelt field may hold it.
 */
export function redactBody(body: string | undefined, takesSecret: boolean): unknown {
    if (body === undefined || body === "") {
        return undefined;
    }
    try {
        return redact(JSON.parse(body), takesSecret);
    } catch {
        return `[${body.length} characters that are not JSON]`;
    }
}

/** A path with its query, without the values of parameters that the operation does not have. */
export function redactPath(path: string, route: Pick<Route, "query"> | undefined): string {
    const [before = "", query] = path.split(/\?(.*)/s);
    if (query === undefined) {
        return path;
    }
    const parts = query.split("&").map((part) => {
        const [name = ""] = part.split("=");
        return part === name || Object.hasOwn(route?.query.properties ?? {}, name) ? part : `${name}=${hidden}`;
    });
    return `${before}?${parts.join("&")}`;
}

function redact(value: unknown, isSecret: boolean): unknown {
    if (Array.isArray(value)) {
        return value.map((item) => redact(item, isSecret));
    }
    if (typeof value !== "object" || value === null) {
        return isSecret ? hidden : value;
    }
    return mapped({ ...value }, (inner, key) => redact(inner, isSecret || secretFields.has(key)));
}
