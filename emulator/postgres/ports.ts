import { createServer } from "node:net";
import { unpredictableInteger } from "../secureRandom";
import { poolerPortOf } from "../world/views";

export const host = "127.0.0.1";

/** The range of ports. It is below the ephemeral ports of operating systems, and so are the ports of the poolers. */
const firstPort = 12_000;
const lastPort = 22_000;
const keptReady = 8;
const maxTries = 200;

export function isFree(port: number): Promise<boolean> {
    return new Promise((resolve) => {
        const server = createServer();
        server.once("error", () => resolve(false));
        server.listen(port, host, () => server.close(() => resolve(true)));
    });
}

/** Free ports, each with the port of its pooler. Some are checked in advance, because `take` is synchronous. */
export class Ports {
    private readonly ready: number[] = [];
    private readonly taken = new Set<number>();

    /** Many calls at once also get ports that were not checked. A database whose port is in use chooses another one. */
    take(): number {
        const port = this.ready.pop() ?? this.reserve();
        if (port === undefined) {
            throw new Error(`There is no free port from ${firstPort} to ${lastPort - 1}.`);
        }
        void this.refill();
        return port;
    }

    /** Reserves a port that belongs to a service. */
    occupy(port: number): void {
        this.taken.add(port);
    }

    release(port: number): void {
        this.taken.delete(port);
    }

    async refill(): Promise<void> {
        for (let tries = 0; this.ready.length < keptReady && tries < maxTries; tries++) {
            const port = this.reserve();
            if (port === undefined) {
                return;
            }
            if ((await isFree(port)) && (await isFree(poolerPortOf(port)))) {
                this.ready.push(port);
            } else {
                this.taken.delete(port);
            }
        }
    }

    /** A port that belongs to no service. */
    private reserve(): number | undefined {
        for (let tries = 0; tries < maxTries; tries++) {
            const port = unpredictableInteger(firstPort, lastPort);
            if (!this.taken.has(port)) {
                this.taken.add(port);
                return port;
            }
        }
        return undefined;
    }
}
