import { existsSync, readdirSync } from "node:fs";
import { createConnection } from "node:net";
import { dirname } from "node:path";
import { describeWithPostgres, postgresWorld, processesWith } from "../support/postgres";

const cycles = Number(process.env.CLOUDDB_POSTGRES_CYCLES ?? 2);
const cycleLimitMs = 30_000;

describeWithPostgres("many databases in sequence", () => {
    test(
        "many services with PostgreSQL leave no processes, ports or folders",
        async () => {
            const { emulator, api, service, fork, untilGone } = await postgresWorld();
            const data = dirname(emulator.certificate?.file ?? "");
            const left = () => ({ folders: readdirSync(data).sort(), processes: processesWith(data).sort() });
            const atStart = left();
            const ports = new Set<number>();
            for (let cycle = 0; cycle < cycles; cycle++) {
                const parent = await service();
                const copy = await fork(parent, { fork_strategy: "NOW" });
                expect(left()).not.toEqual(atStart);
                for (const { endpoint, service_id: id } of [parent, copy]) {
                    ports.add(endpoint?.port ?? NaN);
                    await api("DELETE", `/services/${id}`);
                    await untilGone(id);
                }
                expect(left()).toEqual(atStart);
            }
            await emulator.close();
            expect(await Promise.all([...ports].map(isOpen))).not.toContain(true);
            expect(processesWith(data)).toEqual([]);
            expect(existsSync(dirname(data))).toBe(false);
        },
        cycleLimitMs * (cycles + 1),
    );
});

const isOpen = (port: number): Promise<boolean> =>
    new Promise((resolve) => {
        const socket = createConnection(port, "127.0.0.1", () => {
            socket.destroy();
            resolve(true);
        }).once("error", () => resolve(false));
    });
