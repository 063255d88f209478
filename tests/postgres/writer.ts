import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { eventually } from "../support/postgres";

/** An application that inserts consecutive numbers, each in its own transaction, and reconnects after each failure. */
export class Writer {
    readonly acknowledged: number[] = [];
    readonly errors: string[] = [];
    private isStopped = false;
    private client: Client | undefined;
    private readonly done: Promise<void>;

    constructor(private readonly connect: () => Promise<Client>) {
        this.done = this.run();
    }

    async stop(): Promise<void> {
        this.isStopped = true;
        await this.done;
    }

    /** Resolves when it has written more rows. */
    async goesOn(): Promise<void> {
        const before = this.acknowledged.length;
        await eventually(() => this.acknowledged.length > before + 5, 20_000);
    }

    /** Reconnects, as an application does after a change of its configuration. */
    async reconnect(): Promise<void> {
        await this.client?.end();
    }

    private async run(): Promise<void> {
        for (let n = 1; !this.isStopped; n++) {
            try {
                this.client ??= await this.connect();
                await this.client.query("INSERT INTO written VALUES ($1)", [n]);
                this.acknowledged.push(n);
            } catch (error) {
                const { code, message } = error as { code?: string; message: string };
                this.errors.push(code ?? (/terminated|closed|not queryable/i.test(message) ? "closed" : message));
                await this.client?.end().catch(() => undefined);
                this.client = undefined;
                await sleep(5);
            }
        }
        await this.client?.end().catch(() => undefined);
    }
}
