import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, type ClientConfig } from "pg";
import * as backups from "../../emulator/postgres/backup";
import { passwordsFrom } from "../../emulator/postgres/installation";
import type { Wire } from "../../emulator/wire";
import { describeWithPostgres, eventually, postgresWorld, type Access, type PostgresWorld } from "../support/postgres";

describeWithPostgres("copies of a service with PostgreSQL", () => {
    let world: PostgresWorld;
    let parent: Wire["Service"] & Access;
    let afterTwo: string;

    const rows = async (access: Access): Promise<unknown[]> =>
        (await world.sql(access, "SELECT n FROM numbers ORDER BY n")).map(({ n }) => n);
    const insert = (n: number): Promise<unknown> => world.sql(parent, `INSERT INTO numbers VALUES (${n})`);

    beforeAll(async () => {
        world = await postgresWorld();
        parent = await world.service();
        await world.sql(parent, "CREATE TABLE numbers (n int)");
        await insert(1);
        await insert(2);
        await sleep(5);
        afterTwo = new Date().toISOString();
        await sleep(5);
        await insert(3);
    });

    test("a fork has all rows and its own password, and is independent of its parent, and node-postgres accepts its configuration and connection string", async () => {
        const { service_id: id } = parent;
        const [fork, set] = [await world.emulator.fork(id), await world.emulator.createReadReplicaSet(id)];
        const endpoint = { host: fork.host, port: fork.port };
        expect(fork.password).not.toBe(parent.password);
        const run = async (config: ClientConfig, statement: string) => {
            const client = new Client(config);
            await client.connect();
            const { rows } = await client.query<{ n: number }>(statement).finally(() => client.end());
            return rows.map(({ n }) => n);
        };
        await expect(world.sql({ endpoint, password: parent.password }, "SELECT 1")).rejects.toThrow(/password/);
        const select = "SELECT n FROM numbers ORDER BY n";
        await run({ connectionString: fork.connectionString }, "INSERT INTO numbers VALUES (100)");
        expect(await run(fork, select)).toEqual([1, 2, 3, 100]);
        expect(await run(set, select)).toEqual([1, 2, 3]);
        expect(await rows(parent)).toEqual([1, 2, 3]);
    });

    test("a fork PITR has the rows of that time, and a fork of a fork can only go back to the creation of the fork", async () => {
        const fork = await world.fork(parent, { fork_strategy: "PITR", target_time: afterTwo });
        expect(await rows(fork)).toEqual([1, 2]);
        await world.sql(fork, "INSERT INTO numbers VALUES (50)");
        await sleep(5);
        const targetTime = new Date().toISOString();
        await sleep(5);
        await world.sql(fork, "INSERT INTO numbers VALUES (51)");
        expect(await rows(await world.fork(fork, { fork_strategy: "PITR", target_time: targetTime }))).toEqual([
            1, 2, 50,
        ]);
        const tooEarly = world.fork(fork, { fork_strategy: "PITR", target_time: afterTwo });
        await expect(tooEarly).rejects.toThrow("400");
    });

    test("a fork LAST_SNAPSHOT has the rows of the last snapshot", async () => {
        world.emulator.takeSnapshot(parent.service_id);
        await sleep(5);
        await insert(4);
        expect(await rows(await world.fork(parent, { fork_strategy: "LAST_SNAPSHOT" }))).toEqual([1, 2, 3]);
    });

    test("a fork has its data although its parent is deleted right after the request", async () => {
        const other = await world.service();
        await world.sql(other, "CREATE TABLE numbers AS SELECT generate_series(1, 1000) AS n");
        const made = world.fork(other, { fork_strategy: "NOW" });
        await world.api("DELETE", `/services/${other.service_id}`);
        expect(await rows(await made)).toHaveLength(1000);
        await world.untilGone(other.service_id);
    });

    test("a replica set replicates, rejects writes, and is available while its service is paused", async () => {
        const set = await world.replicaSet(parent);
        const replica: Access = { password: parent.password, ...(set.endpoint && { endpoint: set.endpoint }) };
        await insert(5);
        await eventually(async () => (await rows(replica)).includes(5));
        await expect(world.sql(replica, "INSERT INTO numbers VALUES (6)")).rejects.toThrow(/read-only/);
        await world.api("POST", `/services/${parent.service_id}/stop`);
        await world.until(parent.service_id, "PAUSED");
        expect(await rows(replica)).toContain(5);
        await world.change(parent.service_id, "start");
        await insert(7);
        await eventually(async () => (await rows(replica)).includes(7));
    });

    test("a restore has the data of a service whose backup was renewed, and of one whose new backup failed", async () => {
        const other = await world.service();
        await world.sql(other, "CREATE TABLE numbers AS SELECT generate_series(1, 9) AS n");
        const data = dirname(world.emulator.certificate?.file ?? "");
        const superuser = new Client({
            ...other.endpoint,
            user: "postgres",
            password: passwordsFrom(readFileSync(join(data, "secret"), "utf8"))("postgres"),
            database: "postgres",
        });
        await superuser.connect();
        const restored = async () => {
            world.emulator.takeSnapshot(other.service_id);
            const fork = await world.emulator.fork(other.service_id, { fork_strategy: "LAST_SNAPSHOT" });
            return rows({ endpoint: fork, password: fork.password });
        };
        const { backUp } = backups;
        const failures: string[] = [];
        const failing = jest.spyOn(backups, "backUp").mockImplementation(async (options) => {
            await backUp(options);
            failures.push(options.to);
            throw new Error("The disk is full.");
        });
        for (let file = 0; file < 270; file++) {
            await superuser.query("SELECT txid_current(), pg_switch_wal()");
        }
        await eventually(() => failures.length > 0, 30_000);
        failing.mockRestore();
        // Removes the log files that nothing keeps.
        await superuser.query("CHECKPOINT");
        expect(await restored()).toHaveLength(9);
        const folder = join(data, `${other.service_id}-${Date.parse(other.created)}`);
        await eventually(() => existsSync(`${folder}.backup`), 30_000);
        await superuser.query("CHECKPOINT");
        await superuser.end();
        expect(readdirSync(join(folder, "pg_wal")).length).toBeLessThan(200);
        await world.sql(other, "DELETE FROM numbers WHERE n > 5");
        expect(await restored()).toHaveLength(5);
    });
});
