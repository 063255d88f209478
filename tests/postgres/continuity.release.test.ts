import { testWithPostgres, postgresWorld } from "../support/postgres";
import { Writer } from "./writer";

/** The SQLSTATE codes of a server that stops or starts and of a rotated password, and Node's codes of a broken connection. */
const expectedErrors = /^(57P01|57P02|57P03|28P01|ECONNREFUSED|ECONNRESET|EPIPE|closed)$/;

testWithPostgres(
    "a service with PostgreSQL loses no acknowledged row during a resize, an HA change, a password rotation and changes of the pooler",
    async () => {
        const world = await postgresWorld({ speed: 100 });
        const service = await world.service();
        const id = service.service_id;
        await world.sql(service, "CREATE TABLE written (n int PRIMARY KEY)");
        let access = { endpoint: service.endpoint ?? {}, password: service.password };
        const application = new Writer(() => world.connect(access));

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
    },
);
