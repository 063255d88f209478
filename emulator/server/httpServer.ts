import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ConnectionReset, EmulatorStartError, tooLarge, type PartialAnswer } from "../errors";
import type { EmulatorRequest, EmulatorResponse } from "../exchange";
import { refusalsAnswered } from "../pipeline";
import { mapped } from "../schema";

const maxBodyBytes = 1024 * 1024;
const keepAliveMs = 60_000;
/** The times in which a client must send the headers and the whole of its request, and how often they are checked. */
const requestLimits = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 2_000 };

export interface HttpServer {
    port: number;
    /** Ends all connections. */
    close(): Promise<void>;
}

export interface HttpServerOptions {
    host: string;
    port: number;
    handle: (request: EmulatorRequest) => Promise<EmulatorResponse>;
    log: (line: string) => void;
    /** Reports a failure of the emulator. */
    report: (line: string) => void;
}

/** Serves the emulator over HTTP. */
export async function listen({ host, port, handle, log, report }: HttpServerOptions): Promise<HttpServer> {
    const server = createServer(requestLimits, (incoming, outgoing) => {
        // A failure here is a lost connection, so no response can be sent.
        serve(incoming, outgoing, { handle, report }).catch((error: unknown) => {
            if (error instanceof ConnectionReset) {
                breakOff(outgoing, error.sent);
                return;
            }
            log(`connection lost: ${String(error)}`);
            outgoing.destroy();
        });
    });
    server.keepAliveTimeout = keepAliveMs;
    await bind(server, host, port);
    // A test that does not close its emulator ends nevertheless. The sockets of clients in this process keep it alive meanwhile.
    server.unref();
    server.on("connection", (socket) => socket.unref());
    return {
        port: (server.address() as AddressInfo).port,
        close: () =>
            new Promise((resolve) => {
                server.close(() => resolve());
                server.closeAllConnections();
            }),
    };
}

async function serve(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { handle, report }: Pick<HttpServerOptions, "handle" | "report">,
): Promise<void> {
    const response = await refusalsAnswered({ report }, async () =>
        handle({
            method: incoming.method ?? "GET",
            path: incoming.url ?? "/",
            headers: headersOf(incoming),
            body: await readBody(incoming),
        }),
    );
    // The rest of a body that is too long is not read, so the connection cannot be reused.
    const headers = incoming.complete ? response.headers : { ...response.headers, connection: "close" };
    outgoing.writeHead(response.status, { ...headers, "content-length": Buffer.byteLength(response.body) });
    outgoing.end(response.body);
}

/** Breaks the connection, immediately or after a part of the response. */
function breakOff(outgoing: ServerResponse, sent: PartialAnswer | undefined): void {
    const { socket } = outgoing;
    if (!sent || !socket) {
        socket?.resetAndDestroy();
        return;
    }
    if (sent.length === 0) {
        // A response without a body breaks in its status line.
        socket.end("HTTP/1.1 2");
        return;
    }
    outgoing.writeHead(sent.status, { ...sent.headers, "content-length": sent.length });
    // Wait until the data is sent before closing the connection.
    outgoing.write(sent.body, () => socket.end());
}

const headersOf = (incoming: IncomingMessage): Record<string, string> =>
    mapped(incoming.headers, (value) => [value ?? ""].flat().join(", "));

async function readBody(incoming: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    let length = 0;
    try {
        for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
            length += chunk.length;
            if (length > maxBodyBytes) {
                throw tooLarge(`The body is longer than ${maxBodyBytes} bytes.`);
            }
            chunks.push(chunk);
        }
    } catch (error) {
        // The client has disconnected before the end of its request.
        throw incoming.destroyed && !incoming.complete ? new ConnectionReset() : error;
    }
    return Buffer.concat(chunks).toString("utf8");
}

function bind(server: Server, host: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
        server.once("error", (error: NodeJS.ErrnoException) => {
            const inUse = error.code === "EADDRINUSE";
            const message = inUse
                ? `Port ${port} is in use. Choose another port, or 0 for any free port.`
                : `Cannot listen on ${host}:${port}: ${error.message}`;
            reject(new EmulatorStartError(inUse ? "port-in-use" : "port-unavailable", message, { cause: error }));
        });
        server.listen(port, host, resolve);
    });
}
