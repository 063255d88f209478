/** `npm run figures:postgres`: measures the time and memory of the emulator with PostgreSQL. */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { processesWith, startWithPostgres } from "./postgres/client.mjs";

const services = 10;

export async function run() {
    const { emulator, send, until, create, fork, remove } = await measured("start of the emulator", startWithPostgres);
    const service = await measured("first service, from POST to READY", create);
    await measured("fork NOW, from POST to READY", () => fork(service.service_id));
    const id = service.service_id;
    await measured("stop", async () => {
        await send("POST", `/services/${id}/stop`);
        await until(id, "PAUSED");
    });
    await measured("start", async () => {
        await send("POST", `/services/${id}/start`);
        await until(id, "READY");
    });
    await measured("change of the password", () =>
        send("POST", `/services/${id}/updatePassword`, { password: "another-password" }),
    );
    const others = await measured(`${services - 2} more services at once`, () =>
        Promise.all(Array.from({ length: services - 2 }, () => create())),
    );
    const data = dirname(emulator.certificate.file);
    console.log(`${megabytes(processesOf(data))} MB  memory of ${services} services, including the watcher process`);
    await measured("deletion of a service", () => remove(others[0]?.service_id ?? ""));
    await measured("end of the emulator", () => emulator.close());
}

async function measured(name, work) {
    const begin = performance.now();
    const result = await work();
    console.log(`${((performance.now() - begin) / 1000).toFixed(2).padStart(6)} s  ${name}`);
    return result;
}

/** The servers, their child processes, and the watcher. */
function processesOf(data) {
    const parents = new Set(processesWith(data));
    const children = processesWith("postgres:").filter((pid) => parents.has(Number(statusOf(pid, "PPid"))));
    return [...parents, ...children];
}

/** Uses the proportional set size, so that shared memory is counted once. */
function megabytes(pids) {
    return Math.round(pids.reduce((sum, pid) => sum + partOf(pid), 0) / 1024);
}

function partOf(pid) {
    try {
        return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
    } catch {
        return 0;
    }
}

function statusOf(pid, name) {
    try {
        return new RegExp(`^${name}:\\s+(\\S+)`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    } catch {
        return undefined;
    }
}
