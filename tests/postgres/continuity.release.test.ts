import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import type { Wire } from "../../emulator/wire";
import { describeWithPostgres, eventually, postgresWorld, type PostgresWorld } from "../support/postgres";

/** The SQLSTATE codes of a server that stops or starts and of a rotated password, and Node's codes of a broken connection. */
const expectedErrors = /^(57P01|57P02|57P03|28P01|ECONNREFUSED|ECONNRESET|EPIPE|closed)$/;

/** Inserts consecutive numbers, each in its own transaction, and reconnects after each failure. */
class Application {
    readonly acknowledged: number[] = [];
    readonly errors: string[] = [];
    private isStopped = false;
    private client: Client | undefined;
    private readonly done: Promise<void>;

    constructor(
        private readonly world: PostgresWorld,
        /** The current endpoint and password in the configuration of the application. */
        private readonly access: () => { endpoint: Wire["Endpoint"]; password: string },
    ) {
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
                this.client ??= await this.world.connect(this.access());
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
        await this.client?.end();
    }
}

describeWithPostgres("an application that writes continuously", () => {
    test("a service with PostgreSQL loses no acknowledged row during a resize, an HA change, a password rotation and changes of the pooler", async () => {
        const world = await postgresWorld({ speed: 100 });
        const service = await world.service();
        const id = service.service_id;
        await world.sql(service, "CREATE TABLE written (n int PRIMARY KEY)");
        let access = { endpoint: service.endpoint ?? {}, password: service.password };
        const application = new Application(world, () => access);

        await application.goesOn();
        await world.change(id, "resize", { cpu_millis: "1000", memory_gbs: "4" });
        await application.goesOn();
        await world.change(id, "setHA", { replica_count: 2, sync_replica_count: 1 });
        await application.goesOn();
        await world.api("POST", `/services/${id}/updatePassword`, { password: "rotated-password" });
        access = { ...access, password: "rotated-password" };
        await application.goesOn();
        await world.api("POST", `/services/${id}/enablePooler`);
        const pooled = (await world.until(id, "READY")).connection_pooler?.endpoint ?? {};
        const direct = access;
        access = { ...access, endpoint: pooled };
        await application.reconnect();
        await application.goesOn();
        await world.api("POST", `/services/${id}/disablePooler`);
        access = direct;
        await application.goesOn();
        await application.stop();

        const rows = await world.sql(access, "SELECT n FROM written");
        const there = new Set(rows.map(({ n }) => n));
        expect(application.acknowledged.filter((n) => !there.has(n))).toEqual([]);
        expect(application.errors).not.toEqual([]);
        expect(application.errors.filter((code) => !expectedErrors.test(code))).toEqual([]);
    });
});
