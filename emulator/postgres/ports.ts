import { createServer } from "node:net";
import { unpredictableInteger } from "../secureRandom";

export const host = "127.0.0.1";

/** The range of the ports of databases. It is below the ephemeral ports of operating systems, and so are the ports of the poolers. */
const firstPort = 12_000;
const lastPort = 22_000;

export function isFree(port: number): Promise<boolean> {
    return new Promise((resolve) => {
        const server = createServer();
        server.once("error", () => resolve(false));
        server.listen(port, host, () => server.close(() => resolve(true)));
    });
}

/** A port that belongs to no database. If another program uses it, a new database chooses another one. */
export function newPort(taken: ReadonlySet<number>): number {
    const port = unpredictableInteger(firstPort, lastPort);
    return taken.has(port) ? newPort(taken) : port;
}
