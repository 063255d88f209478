/** Starts the built emulator with PostgreSQL, with functions that call its API. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createConnection } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { repositoryRoot } from "../lib/repository.mjs";

const pollMs = 10;
/** Makes the simulated durations negligible. */
const speed = 1_000_000;

export async function startWithPostgres() {
    const { startEmulator } = createRequire(import.meta.url)(join(repositoryRoot, "dist", "emulator", "index.js"));
    const emulator = await startEmulator({ postgres: true, speed });

    const send = async (method, path, body) => {
        const { status, body: text } = await emulator.handle({
            method,
            path: `/v1/projects/${emulator.projectId}${path}`,
            headers: { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" },
            ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        if (status >= 300 && status !== 404) {
            throw new Error(`${method} ${path}: ${status} ${text}`);
        }
        return { status, body: text === "" ? undefined : JSON.parse(text) };
    };
    const until = async (id, status) => {
        for (;;) {
            const { body } = await send("GET", `/services/${id}`);
            if (body.status === status) {
                return body;
            }
            if (body.status === "UNSTABLE") {
                throw new Error(`Service ${id} is UNSTABLE.`);
            }
            await sleep(pollMs);
        }
    };
    const createService = async (path, input) => {
        const { body } = await send("POST", path, input);
        return { ...(await until(body.service_id, "READY")), initial_password: body.initial_password };
    };
    return {
        emulator,
        send,
        until,
        create: () => createService("/services", { name: "orders" }),
        fork: (id) => createService(`/services/${id}/forkService`, { fork_strategy: "NOW" }),
        remove: async (id) => {
            await send("DELETE", `/services/${id}`);
            while ((await send("GET", `/services/${id}`)).status !== 404) {
                await sleep(pollMs);
            }
        },
    };
}

/** The processes whose command line has this text; Linux only. */
export const processesWith = (text) =>
    readdirSync("/proc")
        .map(Number)
        .filter((pid) => pid > 0 && pid !== process.pid && commandLine(pid).includes(text));

function commandLine(pid) {
    try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
        return "";
    }
}

export const isOpen = (port) =>
    new Promise((resolve) => {
        const socket = createConnection(port, "127.0.0.1");
        socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
        socket.once("connect", () => socket.destroy());
    });
