import type { Writable } from "node:stream";
import { elapsedMs } from "../clock";
import type { Feed } from "./feed";

/** The interval between updates in milliseconds of real time. */
const everyMs = 100;
/** If an update is expensive, the pauses become longer, so that other requests are not delayed. */
const minPauseRatio = 20;
/** After this time without an update, an empty line shows the clients that the connection is alive. */
const heartbeatMs = 10_000;
/** A client that does not read for this time is dropped. */
const patienceMs = 20_000;

type Client = Pick<Writable, "destroy" | "once" | "write" | "writableNeedDrain">;

/** Sends the updates of a feed to all clients. What has changed is found once for all of them. */
export class Stream {
    /** The clients, with the time since which each has not read. Such a client gets the complete state when it reads again. */
    private readonly clients = new Map<Client, number | undefined>();
    private timer: NodeJS.Timeout | undefined;
    private sentAt = elapsedMs();

    constructor(
        private readonly feed: Pick<Feed, "complete" | "next">,
        private readonly report: (line: string) => void,
    ) {}

    /** The complete state for a new client. */
    open(): string {
        if (this.clients.size === 0) {
            // Nobody needs the changes since the last client has left.
            this.feed.next();
        }
        return this.feed.complete();
    }

    /** Adds a client that has received the complete state. */
    add(client: Client): void {
        this.clients.set(client, undefined);
        client.once("close", () => {
            this.clients.delete(client);
            if (this.clients.size === 0) {
                clearTimeout(this.timer);
                this.timer = undefined;
            }
        });
        this.timer ??= this.later(everyMs);
    }

    private later(ms: number): NodeJS.Timeout {
        const timer = setTimeout(() => {
            const begin = elapsedMs();
            try {
                this.send(begin);
            } catch (error) {
                this.report(`internal error: ${String(error)}`);
                this.clients.forEach((_, client) => client.destroy());
                return;
            }
            this.timer = this.later(Math.max(everyMs, (elapsedMs() - begin) * minPauseRatio));
        }, ms);
        return timer.unref();
    }

    private send(now: number): void {
        const update = this.feed.next();
        const isSilent = update === undefined && now - this.sentAt <= heartbeatMs;
        for (const [client, behindSince] of this.clients) {
            if (client.writableNeedDrain) {
                this.clients.set(client, behindSince ?? now);
                if (now - (behindSince ?? now) > patienceMs) {
                    client.destroy();
                }
            } else if (behindSince !== undefined) {
                client.write(this.feed.complete());
                this.clients.set(client, undefined);
            } else if (!isSilent) {
                client.write(update ?? "\n");
            }
        }
        this.sentAt = isSilent ? this.sentAt : now;
    }
}
