import { connect, createServer, type Socket } from "node:net";
import { host, isFree } from "./ports";

/** A running connection pooler. */
export interface Pooler {
    close: () => Promise<void>;
}

/** Starts a proxy, which does not pool. */
export async function openPooler({ port, serverPort }: { port: number; serverPort: number }): Promise<Pooler> {
    if (!(await isFree(port))) {
        throw new Error(`port ${port} of its connection pooler is in use by another process. End that process`);
    }
    const sockets = new Set<Socket>();
    const server = createServer((client) => {
        const upstream = connect(serverPort, host);
        for (const [socket, other] of [
            [client, upstream],
            [upstream, client],
        ] as const) {
            sockets.add(socket);
            socket.pipe(other);
            socket.on("error", () => other.destroy());
            socket.once("close", () => {
                sockets.delete(socket);
                other.destroy();
            });
        }
    });
    await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, resolve).unref();
    });
    return {
        close: () =>
            new Promise((resolve) => {
                server.close(() => resolve());
                for (const socket of sockets) {
                    socket.destroy();
                }
            }),
    };
}
