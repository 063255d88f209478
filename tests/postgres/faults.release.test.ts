import type { Wire } from "../../emulator/wire";
import { describeWithPostgres, eventually, postgresWorld, type PostgresWorld } from "../support/postgres";

describeWithPostgres("a fault with PostgreSQL", () => {
    let world: PostgresWorld;

    beforeAll(async () => {
        world = await postgresWorld();
    });
    afterEach(() => world.emulator.clearFaults());

    const services = () => world.emulator.snapshot().services;

    test("a lost response to a creation leaves one service with a server, and a rejected creation leaves none", async () => {
        world.emulator.addFaults(["createService#1:503", "createService#2:reset-after"]);
        await expect(world.service()).rejects.toThrow("503");
        expect(services()).toEqual([]);
        await expect(world.service()).rejects.toThrow();
        expect(services()).toHaveLength(1);
        const id = services()[0]?.service_id ?? "";
        const { endpoint } = await world.until(id, "READY");
        const password = "a-new-password";
        await world.api("POST", `/services/${id}/updatePassword`, { password });
        expect(await world.sql({ ...(endpoint && { endpoint }), password }, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
        await world.api("DELETE", `/services/${id}`);
        await world.untilGone(id);
    });

    test("a lost response to a fork, a password or a deletion does not change the effect of the request", async () => {
        const parent = await world.service();
        const id = parent.service_id;
        await world.sql(parent, "CREATE TABLE orders AS SELECT 7 AS amount");
        const lost = (operation: string) => world.emulator.addFaults([`${operation}:502,body=html,carriedOut`]);

        lost("forkService");
        await expect(world.fork(parent, { fork_strategy: "NOW" })).rejects.toThrow("502");
        const copy = services().find(({ forked_from: from }) => from?.service_id === id)?.service_id ?? "";
        const { endpoint } = await world.until(copy, "READY");
        lost("updatePassword");
        const password = "a-new-password";
        await expect(world.api("POST", `/services/${copy}/updatePassword`, { password })).rejects.toThrow("502");
        const access = { ...(endpoint && { endpoint }), password };
        expect(await world.sql(access, "SELECT amount FROM orders")).toEqual([{ amount: 7 }]);
        lost("deleteService");
        await expect(world.api("DELETE", `/services/${copy}`)).rejects.toThrow("502");
        await world.untilGone(copy);
        await expect(world.sql(access, "SELECT 1")).rejects.toThrow(/ECONNREFUSED/);
        expect(await world.sql(parent, "SELECT amount FROM orders")).toEqual([{ amount: 7 }]);
    });

    test("a service whose status was delayed, hidden or overridden becomes READY and accepts connections", async () => {
        world.emulator.addFaults([
            "createService#1:stuck,ms=500",
            "resizeService#1:stale,ms=300",
            "setHA#1:status,status=UNSTABLE,ms=300",
            "renameService#1:hidden,ms=200",
        ]);
        const service = await world.service();
        const id = service.service_id;
        await world.sql(service, "CREATE TABLE kept AS SELECT 7 AS value");
        const hasSize = async () => {
            const { status, resources } = await world.api<Wire["Service"]>("GET", `/services/${id}`);
            return status === "READY" && resources[0]?.spec?.cpu_millis === 1000;
        };
        await world.api("POST", `/services/${id}/resize`, { cpu_millis: "1000", memory_gbs: "4" });
        await eventually(hasSize);
        await world.api("POST", `/services/${id}/setHA`, { replica_count: 1 });
        await world.until(id, "UNSTABLE");
        await world.until(id, "READY");
        await world.api("POST", `/services/${id}/rename`, { name: "other" });
        await expect(world.api("GET", `/services/${id}`)).rejects.toThrow("404");
        expect(await world.sql(service, "SELECT value FROM kept")).toEqual([{ value: 7 }]);
        await eventually(() => hasSize().catch(() => false));
        expect(world.messages).toEqual([]);
    });
});
