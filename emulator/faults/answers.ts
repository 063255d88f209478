import { jsonResponse, type EmulatorResponse } from "../exchange";
import { flag, integer, needed, oneOf, wholeMs, type ValuesOf } from "../schema";
import type { Random } from "../world/random";

// Responses of faults: in place of the real response, or derived from it.

const secondMs = 1_000;

/** The error page of a proxy. */
const page = (status: number): string =>
    `<html>\r\n<head><title>${status}</title></head>\r\n<body><center><h1>${status}</h1></center></body>\r\n</html>\r\n`;

const bodies = {
    json: (status: number) =>
        jsonResponse(status, { code: "FAULT", message: `The emulator returned ${status} because of a fault.` }),
    html: (status: number) => ({ status, headers: { "content-type": "text/html" }, body: page(status) }),
    empty: (status: number) => jsonResponse(status, undefined),
};

/** The fields of the effect `answer`. */
export const answerFields = {
    /** The HTTP status, 300 to 599. */
    status: needed(integer(300, 599)),
    /** The body: an error in the format of the contract, the HTML page of a proxy, or no body. Default: `"json"`. */
    body: oneOf(["json", "html", "empty"]),
    /** Adds a `Retry-After` header with this delay in milliseconds. Default: no header. */
    retryAfterMs: wholeMs,
    /** The format of `Retry-After`. Default: `"seconds"`. */
    retryAfterForm: oneOf(["seconds", "date"]),
    /** Whether the request is carried out. Default: false. */
    carriedOut: flag,
};

/** An error response. `now` is in milliseconds since 1970. */
export function refusal(
    { status, body = "json", retryAfterMs, retryAfterForm = "seconds" }: ValuesOf<typeof answerFields>,
    now: number,
): EmulatorResponse {
    const response = bodies[body](status);
    const later = retryAfterMs === undefined ? {} : retryAfter(retryAfterMs, retryAfterForm, now);
    return { ...response, headers: { ...response.headers, ...later } };
}

/** A date in `Retry-After` is relative to the clock of the emulator, so the response also has a `Date` header. */
function retryAfter(ms: number, form: "seconds" | "date", now: number): Record<string, string> {
    if (form === "seconds") {
        return { "retry-after": String(Math.ceil(ms / secondMs)) };
    }
    return { "retry-after": new Date(now + ms).toUTCString(), date: new Date(now).toUTCString() };
}

/** A response that begins like JSON but is malformed. */
export const malformed = (response: EmulatorResponse): EmulatorResponse => ({
    ...response,
    headers: { ...response.headers, "content-type": "application/json" },
    body: `${response.body.slice(0, -1)},,"`,
});

export const firstHalf = (text: string): string => text.slice(0, Math.ceil(text.length / 2));

/** A response with half of its body. `Content-Length` is that of the half, so only the JSON is incomplete. */
export const truncated = (response: EmulatorResponse): EmulatorResponse => ({
    ...response,
    body: firstHalf(response.body),
});

/** The body as JSON; undefined if there is none, or if it is not JSON: a fault may have replaced or damaged it. */
export function parsed({ body = "" }: { readonly body?: string }): unknown {
    try {
        return JSON.parse(body);
    } catch {
        return undefined;
    }
}

/** A list without one random entry. */
export function withoutOne(response: EmulatorResponse, random: Random): EmulatorResponse {
    const list = parsed(response);
    if (!Array.isArray(list) || list.length === 0) {
        return response;
    }
    list.splice(random.integer(0, list.length), 1);
    return { ...response, body: JSON.stringify(list) };
}
