import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { Server } from "../../emulator/postgres/server";
import { describeWithPostgres, eventually, postgresWorld } from "../support/postgres";

afterEach(() => jest.restoreAllMocks());

/** The slot that keeps the log for restores. */
const slots = "SELECT slot_name FROM pg_replication_slots WHERE restart_lsn IS NOT NULL";

describeWithPostgres("the first start of a service with PostgreSQL", () => {
    test("a service becomes READY although the first session of the emulator timed out", async () => {
        const world = await postgresWorld();
        const connect = jest.spyOn(Client.prototype, "connect") as unknown as jest.SpyInstance<Promise<void>>;
        connect.mockRejectedValueOnce(new Error("timeout expired"));
        const service = await world.service();
        expect(world.messages).toHaveLength(1);
        expect(await world.sql(service, slots)).toEqual([{ slot_name: "clouddb_backup" }]);
    });

    test("a service and a read replica set accept connections although their servers were killed right after they had started", async () => {
        const world = await postgresWorld();
        const start = Server.start.bind(Server);
        const killOnce = (): void => {
            jest.spyOn(Server, "start").mockImplementationOnce(async (installation, options) => {
                const server = await start(installation, options);
                const [pid] = readFileSync(join(options.folder, "postmaster.pid"), "utf8").split("\n");
                process.kill(Number(pid), "SIGKILL");
                await eventually(() => server.hasEnded);
                return server;
            });
        };
        killOnce();
        const service = await world.service();
        expect(await world.sql(service, slots)).toEqual([{ slot_name: "clouddb_backup" }]);
        killOnce();
        const { endpoint } = await world.replicaSet(service);
        const access = { ...(endpoint && { endpoint }), password: service.password };
        await eventually(() =>
            world.sql(access, "SELECT 1").then(
                () => true,
                () => false,
            ),
        );
    });
});
