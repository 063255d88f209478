import { invalid } from "./errors";

/** The id in a request such as `GET /services/x`, empty when the pattern has no `*`; undefined when it is another request. */
export function matchId(pattern: string, asked: string): string | undefined {
    const found = new RegExp(`^${pattern.replace("*", "([a-z0-9]+)")}$`).exec(asked);
    return found ? (found[1] ?? "") : undefined;
}

/** The JSON of a body; an empty object when there is none. */
export function parseBody(body: string | undefined): unknown {
    if (body === undefined || body === "") return {};
    try {
        return JSON.parse(body);
    } catch (error) {
        throw invalid(`The body is not JSON: ${(error as Error).message}.`);
    }
}
