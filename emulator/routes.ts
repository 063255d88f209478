import { invalid } from "./errors";

/** The id in a request such as `GET /services/x`. Empty if the pattern has no `*`, undefined if the request does not match. */
export function matchId(pattern: string, request: string): string | undefined {
    const found = new RegExp(`^${pattern.replace("*", "([a-z0-9]+)")}$`).exec(request);
    return found ? (found[1] ?? "") : undefined;
}

/** Parses the JSON of a body. An empty object without a body. */
export function parseBody(body: string | undefined): unknown {
    if (body === undefined || body === "") {
        return {};
    }
    try {
        return JSON.parse(body);
    } catch (error) {
        throw invalid(`The body is not JSON: ${(error as Error).message}.`);
    }
}
