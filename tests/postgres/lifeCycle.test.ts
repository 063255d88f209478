import { spawn } from "node:child_process";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import {
    describeWithPostgres,
    eventually,
    postgresWorld,
    processesWith,
    type Access,
    type PostgresWorld,
} from "../support/postgres";
import { Client } from "pg";
import type { Wire } from "../../emulator/wire";

describeWithPostgres("a service with PostgreSQL", () => {
    let world: PostgresWorld;
    let service: Wire["Service"] & Access;

    beforeAll(async () => {
        world = await postgresWorld();
        service = await world.service();
    });

    test("a service with PostgreSQL accepts connections as soon as it is READY, with TLS, as an ordinary role", async () => {
        expect(service.endpoint).toEqual({ host: "127.0.0.1", port: expect.any(Number) as number });
        const [row] = await world.sql(
            service,
            `SELECT current_user, current_database(), rolsuper, ssl
             FROM pg_roles JOIN pg_stat_ssl ON pid = pg_backend_pid() WHERE rolname = current_user`,
        );
        expect(row).toEqual({ current_user: "tsdbadmin", current_database: "tsdb", rolsuper: false, ssl: true });
    });

    test("a service with PostgreSQL rejects a wrong password and a connection without TLS", async () => {
        await expect(world.sql({ ...service, password: "another-one" }, "SELECT 1")).rejects.toThrow(/password/);
        const { endpoint, password } = service;
        const open = new Client({ ...endpoint, user: "tsdbadmin", password, database: "tsdb", ssl: false });
        await expect(open.connect()).rejects.toMatchObject({ code: "28000" });
    });

    test("a service with PostgreSQL applies a new password immediately, even while it is paused, and does not log it", async () => {
        const id = service.service_id;
        await world.api("POST", `/services/${id}/updatePassword`, { password: "second-password" });
        await expect(world.sql(service, "SELECT 1")).rejects.toThrow(/password/);
        service.password = "second-password";
        expect(await world.sql(service, "SELECT 1 AS one")).toEqual([{ one: 1 }]);

        await world.sql(service, "CREATE TABLE kept AS SELECT 7 AS value");
        await world.api("POST", `/services/${id}/stop`);
        await world.until(id, "PAUSED");
        await expect(world.sql(service, "SELECT 1")).rejects.toThrow(/ECONNREFUSED/);
        await world.api("POST", `/services/${id}/updatePassword`, { password: "third-password" });
        await world.change(id, "start");
        service.password = "third-password";
        expect(await world.sql(service, "SELECT value FROM kept")).toEqual([{ value: 7 }]);
        const { logs } = await world.api<Wire["ServiceLogsResponse"]>("GET", `/services/${id}/logs`);
        expect(logs.join("\n")).not.toMatch(/SCRAM|password"|second-password|third-password/);
    });

    test("a service with PostgreSQL restarts for a resize, but not for a change of high availability", async () => {
        const started = async (): Promise<unknown> => world.sql(service, "SELECT pg_postmaster_start_time()");
        const id = service.service_id;
        const first = await started();
        await world.change(id, "setHA", { replica_count: 1 });
        expect(await started()).toEqual(first);
        const resized = await world.change(id, "resize", { cpu_millis: "1000", memory_gbs: "4" });
        expect(resized.resources[0]?.spec).toMatchObject({ cpu_millis: 1000 });
        expect(await started()).not.toEqual(first);
    });

    test("a service with PostgreSQL returns the log lines of its server with their severity", async () => {
        await expect(world.sql(service, "SELECT * FROM missing_table")).rejects.toThrow(/missing_table/);
        const path = `/services/${service.service_id}/logs?severities=ERROR`;
        const read = () => world.api<Wire["ServiceLogsResponse"]>("GET", path);
        await eventually(async () => (await read()).logs.length > 0);
        const { entries } = await read();
        expect(entries?.[0]).toMatchObject({
            severity: "ERROR",
            message: 'relation "missing_table" does not exist',
            timestamp: expect.stringMatching(/^20\d\d-/) as string,
        });
        world.emulator.fillLogs(service.service_id, 3);
        const all = await world.api<Wire["ServiceLogsResponse"]>("GET", `/services/${service.service_id}/logs`);
        expect(all.logs.length).toBeGreaterThan(5);
    });

    test("a service with PostgreSQL has a pooler on a separate port while it is enabled", async () => {
        const id = service.service_id;
        await world.api("POST", `/services/${id}/enablePooler`);
        const { connection_pooler: pooler } = await world.until(id, "READY");
        const through = { ...service, endpoint: pooler?.endpoint ?? {} };
        expect(await world.sql(through, "SELECT value FROM kept")).toEqual([{ value: 7 }]);
        await world.api("POST", `/services/${id}/disablePooler`);
        await expect(world.sql(through, "SELECT 1")).rejects.toThrow(/ECONNREFUSED/);
    });

    test("a service with PostgreSQL follows changes by the emulator's controls, such as a new size or a deletion", async () => {
        const other = await world.service();
        const folder = `${other.service_id}-${Date.parse(other.created)}`;
        expect(processesWith(folder)).not.toEqual([]);
        world.emulator.updateService(other.service_id, { size: { cpuMillis: 4000, memoryGbs: 16 } });
        await world.until(other.service_id, "READY");
        await eventually(async () => (await world.sql(other, "SELECT 1").catch(() => [])).length === 1);
        world.emulator.deleteService(other.service_id);
        await eventually(() => processesWith(folder).length === 0);
    });

    test("a service with PostgreSQL restarts its server after a kill, with all acknowledged data", async () => {
        await world.sql(service, "INSERT INTO kept VALUES (8)");
        const [pid = 0] = processesWith(`${service.service_id}-`);
        process.kill(pid, "SIGKILL");
        await eventually(async () => (await world.sql(service, "SELECT 1").catch(() => [])).length === 1, 20_000);
        expect(await world.sql(service, "SELECT value FROM kept ORDER BY 1")).toEqual([{ value: 7 }, { value: 8 }]);
    });

    test("a service with PostgreSQL leaves no processes or folders when it is deleted, and none when the emulator stops", async () => {
        const id = service.service_id;
        const folder = dirname(world.emulator.certificate?.file ?? "");
        await world.api("DELETE", `/services/${id}`);
        await world.untilGone(id);
        expect(processesWith(`${id}-`)).toEqual([]);
        await world.emulator.close();
        expect(processesWith(folder)).toEqual([]);
        expect(fs.existsSync(folder)).toBe(false);
        expect(fs.existsSync(dirname(folder))).toBe(false);
    });
});

describeWithPostgres("the servers on a computer without /proc", () => {
    test("the end of an emulator ends its servers, and no other process that has the id of a former one", async () => {
        const { emulator, service } = await postgresWorld();
        await service();
        const data = dirname(emulator.certificate?.file ?? "");
        const strangers = ["postmaster.pid", "pgbouncer.pid"].map((file) => {
            const folder = join(data, `former-${file}`);
            fs.mkdirSync(folder);
            fs.writeFileSync(join(folder, "postgresql.conf"), "");
            const stranger = spawn("tail", ["-f", join(folder, "postgresql.conf")], { stdio: "ignore" });
            fs.writeFileSync(join(folder, file), `${stranger.pid}\n`);
            return stranger;
        });
        const existsSync = (path: string): boolean => !path.startsWith("/proc/") && fs.existsSync(path);
        const getBuiltinModule = process.getBuiltinModule.bind(process);
        const spy = jest.spyOn(process, "getBuiltinModule");
        spy.mockImplementation((name: string) => (name === "node:fs" ? { ...fs, existsSync } : getBuiltinModule(name)));
        await emulator.close();
        spy.mockRestore();
        const left = processesWith(data);
        strangers.forEach((one) => one.kill());
        expect(left).toEqual(strangers.map(({ pid }) => pid));
    });
});
