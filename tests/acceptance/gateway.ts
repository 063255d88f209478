import type { Dialect } from "../../emulator/dialect/dialect";
import { callOf, schemaDifferences, type Exchange } from "./contract";
import type { Differences } from "./differences";
import { factDifferences } from "./facts";
import type { Guard } from "./guard";
import { serve, type Received } from "../support/loopback";

/** A server on 127.0.0.1 between the provider and the API. It stops after the tests of the file. */
export interface Gateway {
    /** The base URL for the provider. */
    readonly url: string;
    /** The reasons for which it has rejected changes. */
    readonly rejections: readonly string[];
}

const root = "/v1";
const rejected = 422;
/** Headers of a connection, and those that describe an encoded body. */
const hopHeaders = new Set(["connection", "content-encoding", "content-length", "keep-alive", "transfer-encoding"]);

/**
 * Starts a gateway that forwards each request to the API, unless the guard rejects it, and compares each response with
 * the documentation. The provider gets the response in the dialect.
 */
export async function startGateway(
    baseUrl: string,
    guard: Guard,
    differences: Differences,
    dialect: Dialect,
): Promise<Gateway> {
    const rejections: string[] = [];
    const forward = async ({ method, url, headers, body: text }: Received): Promise<Response> => {
        const below = url.slice(root.length);
        const sent = { method, path: below.split("?")[0] ?? "", requestBody: parse(text) };
        let settle;
        try {
            settle = guard.admit(sent);
        } catch (error) {
            const { message } = error as Error;
            rejections.push(message);
            return Response.json({ code: "ACCEPTANCE_GUARD", message }, { status: rejected });
        }
        let exchange: Exchange | undefined;
        try {
            const response = await fetch(baseUrl + below, {
                method,
                headers: requestHeaders(headers),
                redirect: "manual",
                ...(text !== "" && { body: text }),
            });
            const body = await response.text();
            exchange = { ...sent, status: response.status, responseBody: parse(body) };
            const kept = [...response.headers].filter(([name]) => !hopHeaders.has(name));
            const answer = { status: response.status, headers: Object.fromEntries(kept), body };
            const call = callOf(exchange);
            const isOfProvider = (headers["user-agent"] ?? "").startsWith("pulumi-clouddb/");
            const said =
                call && isOfProvider
                    ? await dialect.intercept(
                          { operationId: call.operation, request: { method, path: below, body: text } },
                          () => Promise.resolve(answer),
                      )
                    : answer;
            return new Response(said.body === "" ? null : said.body, said);
        } finally {
            settle(exchange);
            const call = exchange && callOf(exchange);
            if (exchange !== undefined && call !== undefined) {
                const all = [...schemaDifferences(call, exchange), ...factDifferences(call, exchange)];
                all.forEach((text) => differences.add(text));
            }
        }
    };
    const { url } = await serve((answer, request, { socket }) => {
        forward(request)
            .then(async (response) => {
                answer.writeHead(response.status, Object.fromEntries(response.headers));
                answer.end(await response.text());
            })
            // Without a response of the API, the provider gets none.
            .catch(() => socket.destroy());
    });
    return { url, rejections };
}

const requestHeaders = (headers: Received["headers"]): [string, string][] =>
    Object.entries(headers).flatMap(([name, value]) =>
        name === "host" || hopHeaders.has(name) || value === undefined ? [] : [[name, String(value)]],
    );

function parse(text: string): unknown {
    try {
        return text === "" ? undefined : JSON.parse(text);
    } catch {
        return text;
    }
}
