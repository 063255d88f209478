import {
    createServer,
    type IncomingHttpHeaders,
    type IncomingMessage,
    type Server,
    type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** A request as a server got it. */
export interface Received {
    readonly method: string;
    /** With the query. */
    readonly url: string;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
}

/** A real server on 127.0.0.1 that does what a test tells it. */
export interface Loopback {
    /** Ends in `/v1`. */
    readonly url: string;
    readonly host: string;
    readonly received: readonly Received[];
    /** How many connections were ever opened to it. */
    connections(): number;
}

const running = new Set<Server>();

/** Answers each request with what the handler does; `received` is complete before the handler is called. */
export async function serve(
    handle: (response: ServerResponse, request: Received, raw: IncomingMessage) => void,
): Promise<Loopback> {
    const received: Received[] = [];
    let connections = 0;
    const server = createServer((raw, response) => {
        const chunks: Buffer[] = [];
        raw.on("data", (chunk: Buffer) => chunks.push(chunk));
        raw.on("end", () => {
            const { method = "", url = "", headers } = raw;
            const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
            received.push(request);
            handle(response, request, raw);
        });
    });
    server.on("connection", () => (connections += 1));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    running.add(server);
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { url: `http://${host}/v1`, host, received, connections: () => connections };
}

/** Ends the servers of a test; to be given to afterEach. */
export async function closeLoopbacks(): Promise<void> {
    await Promise.all(
        [...running].map(
            (server) =>
                new Promise((resolve) => {
                    server.close(resolve);
                    server.closeAllConnections();
                }),
        ),
    );
    running.clear();
}

/** Answers JSON. */
export function json(
    response: ServerResponse,
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
): void {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** An address on which nobody listens. */
export async function deadUrl(): Promise<string> {
    const { url } = await serve(() => undefined);
    await closeLoopbacks();
    return url;
}
