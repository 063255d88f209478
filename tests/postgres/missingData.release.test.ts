import { join } from "node:path";
import { testWithPostgres, makeFolder, postgresWorld } from "../support/postgres";

testWithPostgres(
    "missing data does not prevent an emulator with PostgreSQL from starting, with replica sets or forks of paused services",
    async () => {
        const stateFile = join(makeFolder(), "state.json");
        const before = await postgresWorld({ stateFile, postgres: false, durations: { firstBackup: 0 } });
        const parent = await before.service();
        await before.replicaSet(parent);
        const fork = await before.fork(parent, { fork_strategy: "LAST_SNAPSHOT" });
        await before.replicaSet(fork);
        await before.fork(fork, { fork_strategy: "NOW" });
        await before.api("POST", `/services/${fork.service_id}/stop`);
        await before.until(fork.service_id, "PAUSED");
        await before.emulator.close();

        const after = await postgresWorld({ stateFile });
        expect(
            await after.sql({ ...after.emulator.snapshot().services[0], password: parent.password }, "SELECT 1"),
        ).toHaveLength(1);
        for (const { service_id: id, status } of after.emulator.snapshot().services) {
            expect(status).toBe(id === fork.service_id ? "PAUSED" : "READY");
            await after.api("POST", `/services/${id}/updatePassword`, { password: "a-new-password" });
        }
        const { endpoint } = await after.change(fork.service_id, "start");
        const access = { ...(endpoint && { endpoint }), password: "a-new-password" };
        expect(await after.sql(access, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
        expect(after.messages.filter((line) => !line.startsWith("The data of "))).toEqual([]);
    },
);
