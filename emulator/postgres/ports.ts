import { createServer } from "node:net";
import { unpredictableInteger } from "../secureRandom";

export const host = "127.0.0.1";

/** The range of ports. It is below the ephemeral ports of operating systems, and so are the ports of the poolers. */
const firstPort = 12_000;
const lastPort = 22_000;
const maxTries = 200;

export function isFree(port: number): Promise<boolean> {
    return new Promise((resolve) => {
        const server = createServer();
        server.once("error", () => resolve(false));
        server.listen(port, host, () => server.close(() => resolve(true)));
    });
}

/** The ports of the databases. */
export class Ports {
    private readonly taken = new Set<number>();

    /** A port that belongs to no database. If another program uses it, a new database chooses another one. */
    take(): number {
        for (let tries = 0; tries < maxTries; tries++) {
            const port = unpredictableInteger(firstPort, lastPort);
            if (!this.taken.has(port)) {
                this.taken.add(port);
                return port;
            }
        }
        throw new Error(`There is no free port from ${firstPort} to ${lastPort - 1}.`);
    }

    /** Reserves the port of a database. */
    occupy(port: number): void {
        this.taken.add(port);
    }

    release(port: number): void {
        this.taken.delete(port);
    }
}
