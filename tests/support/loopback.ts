import { once } from "node:events";
import {
    createServer,
    type IncomingHttpHeaders,
    type IncomingMessage,
    type Server,
    type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { atEnd } from "./atEnd";

export interface Received {
    readonly method: string;
    /** The path with the query. */
    readonly url: string;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
}

/**
 * An HTTP server on 127.0.0.1, which stops after the tests of the file. It calls the handler for each request. `received`
 * contains the request before the call.
 */
export async function serve(handle: (response: ServerResponse, request: Received, raw: IncomingMessage) => void) {
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
            server.emit("handled");
        });
    });
    server.on("connection", () => (connections += 1));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    atEnd(() => close(server));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    return {
        url: `http://${host}/v1`,
        host,
        received,
        /** Resolves after the first request. */
        arrived: once(server, "handled"),
        /** The number of connections that were opened. */
        connections: () => connections,
    };
}

export function json(
    response: ServerResponse,
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
): void {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

const close = (server: Server) =>
    new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
    });

export async function deadUrl(): Promise<string> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await close(server);
    return `http://127.0.0.1:${port}/v1`;
}
