/**
 * `npm run soak:postgres [-- CYCLES]`: creates, forks and deletes databases of an emulator with PostgreSQL, by default 200
 * times. Fails if a process, a port or a folder is left.
 */
import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { ScriptError } from "./lib/repository.mjs";
import { isOpen, processesWith, startWithPostgres } from "./postgres/client.mjs";

const defaultCycles = 200;
const reportEvery = 20;

export async function run([cycleCount]) {
    const cycles = Number(cycleCount ?? defaultCycles);
    const { emulator, create, fork, remove } = await startWithPostgres();
    const data = dirname(emulator.certificate.file);
    const [folders, processes] = [readdirSync(data).length, processesWith(data).length];

    const ports = new Set();
    const begin = Date.now();
    for (let cycle = 1; cycle <= cycles; cycle++) {
        const parent = await create();
        const copy = await fork(parent.service_id);
        for (const { endpoint, service_id: id } of [parent, copy]) {
            if (endpoint) {
                ports.add(endpoint.port);
            }
            await remove(id);
        }
        must(readdirSync(data).length === folders, `folders are left after cycle ${cycle}: ${readdirSync(data)}`);
        must(processesWith(data).length === processes, `processes are left after cycle ${cycle}`);
        if (cycle % reportEvery === 0) {
            console.log(`${cycle} cycles, ${Math.round((Date.now() - begin) / cycle)} ms each`);
        }
    }
    for (const port of ports) {
        must(!(await isOpen(port)), `port ${port} is still open`);
    }
    await emulator.close();
    must(processesWith(data).length === 0, "processes are left at the end");
    must(!existsSync(dirname(data)), `${dirname(data)} is left`);
    console.log(`${cycles} cycles left no process, no port and no folder.`);
}

function must(holds, message) {
    if (!holds) {
        throw new ScriptError(message);
    }
}
