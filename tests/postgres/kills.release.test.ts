import { mkdirSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { send, settingsWithPostgres, startCommand, watcherOf, type EmulatorCommand } from "../support/emulatorCommand";
import { describeWithPostgres, eventually, makeFolder, processesIn } from "../support/postgres";
import type { Wire } from "../../emulator/wire";
import { Writer } from "./writer";

/** `CLOUDDB_KILLS=100 npm test -- release tests/postgres/kills` kills 100 emulators. It prints a line for each to stderr. */
const kills = Number(process.env.CLOUDDB_KILLS ?? 4);
const atATime = 2;
const goneMs = 10_000;
const limitMs = 60_000;
const latestKillMs = 2_500;

/** What is killed. A kill of both leaves no process that cleans up, so the next emulator does. */
const victims = ["emulator", "watcher", "both"] as const;
type Victim = (typeof victims)[number];

interface Outcome {
    victim: Victim;
    isKept: boolean;
    rows: number;
    /** The time until no process and no folder was left. */
    tookMs: number;
    problem?: string;
}

const scratch = makeFolder();

describeWithPostgres("SIGKILL at a random time", () => {
    test(
        "no process or folder remains, and with a state file no acknowledged row is lost",
        async () => {
            const outcomes: Outcome[] = [];
            const numbers = Array.from({ length: kills }, (_, number) => number);
            const next = async (): Promise<void> => {
                for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
                    const victim = victims[number % victims.length] ?? "emulator";
                    const isKept = number % 2 === 1;
                    const outcome = await play(join(scratch, String(number)), victim, isKept);
                    outcomes.push(outcome);
                    process.stderr.write(`${JSON.stringify(outcome)}\n`);
                }
            };
            await Promise.all(Array.from({ length: atATime }, next));
            const worst = Math.max(...outcomes.map(({ tookMs }) => tookMs));
            process.stderr.write(`${outcomes.length} kills, ${Math.round(worst)} ms until the last one left nothing\n`);
            expect(outcomes.filter(({ problem }) => problem !== undefined)).toEqual([]);
            expect(outcomes).toHaveLength(kills);
        },
        (limitMs * kills) / atATime + limitMs,
    );
});

/** Kills a part of an emulator that is changing databases. */
async function play(folder: string, victim: Victim, isKept: boolean): Promise<Outcome> {
    const temporary = join(folder, "tmp");
    mkdirSync(temporary, { recursive: true });
    const args = [...settingsWithPostgres, ...(isKept ? ["--state", join(folder, "state.json")] : [])];
    const start = (): EmulatorCommand => startCommand(args, { env: { ...process.env, TMPDIR: temporary } });
    const emulator = start();
    const { url } = await emulator.started;
    const { service_id: id, initial_password: password = "" } = await send<Wire["Service"]>(url, "POST", "", {
        name: "orders",
    });
    const access = { url, id, password };
    const rows = new Writer(() => connect(access));
    await eventually(() => rows.acknowledged.length > 0, limitMs).catch(async (cause: unknown) => {
        const { status } = await send<Wire["Service"]>(url, "GET", `/${id}`);
        emulator.process.kill("SIGTERM");
        throw new Error(`The service is ${status}: ${(await emulator.ended).stderr}`, { cause });
    });
    const changes = change(access);
    await sleep(Math.random() * latestKillMs);

    const watcher = await watcherOf(emulator.process);
    const pids = {
        emulator: [emulator.process.pid],
        watcher: [watcher],
        both: [emulator.process.pid, watcher],
    }[victim];
    for (const pid of pids.sort(() => Math.random() - 0.5)) {
        process.kill(pid ?? 0, "SIGKILL");
    }
    let begin = performance.now();
    if (victim === "watcher") {
        await changes;
        await watcherOf(emulator.process);
        begin = performance.now();
        emulator.process.kill(Math.random() < 0.5 ? "SIGTERM" : "SIGKILL");
    }
    await Promise.all([emulator.ended, changes]);
    await rows.stop();
    const { acknowledged } = rows;

    let problem: string | undefined;
    const isGone = () => processesIn(folder).length === 0 && readdirSync(temporary).length === 0;
    const startsAtOnce = victim === "both" || (isKept && Math.random() < 0.5);
    if (!startsAtOnce) {
        problem = await gone(isGone);
    }
    let tookMs = performance.now() - begin;
    if (startsAtOnce || isKept) {
        const successor = start();
        const { url } = await successor.started;
        if (isKept) {
            const missing = await missingRows({ ...access, url }, acknowledged);
            problem ??= missing === 0 ? undefined : `${missing} rows are missing`;
        }
        begin = performance.now();
        successor.process.kill("SIGTERM");
        await successor.ended;
        problem ??= await gone(isGone);
        tookMs = startsAtOnce ? performance.now() - begin : tookMs;
    }
    if (problem === undefined) {
        // Without blocking the measurement of another emulator.
        await rm(folder, { recursive: true, force: true });
    }
    return { victim, isKept, rows: acknowledged.length, tookMs: Math.round(tookMs), ...(problem && { problem }) };
}

async function gone(isGone: () => boolean): Promise<string | undefined> {
    return eventually(isGone, goneMs).then(
        () => undefined,
        () => "processes or folders remain",
    );
}

interface Access {
    url: string;
    id: string;
    password: string;
}

/** A session of the service. */
async function connect({ url, id, password }: Access): Promise<Client> {
    const { endpoint } = await send<Wire["Service"]>(url, "GET", `/${id}`);
    const ssl = { rejectUnauthorized: false };
    const client = new Client({ ...endpoint, user: "tsdbadmin", password, database: "tsdb", ssl });
    client.on("error", () => undefined);
    await client.connect();
    await client.query("CREATE TABLE IF NOT EXISTS written (id integer PRIMARY KEY)");
    return client;
}

/** Sends random changes. Ends early when the emulator is killed. */
async function change({ url, id }: Access): Promise<void> {
    const changes: readonly (readonly [string, unknown?])[] = [
        ["/forkService", { fork_strategy: "NOW" }],
        ["/forkService", { fork_strategy: "NOW" }],
        ["/replicaSets", { name: "readers", nodes: 1, cpu_millis: 500, memory_gbs: 2 }],
        ["/resize", { cpu_millis: "1000", memory_gbs: "4" }],
        ["/enablePooler"],
    ];
    try {
        for (const [path, body] of [...changes].sort(() => Math.random() - 0.5)) {
            await send(url, "POST", `/${id}${path}`, body);
            await sleep(Math.random() * 500);
        }
    } catch {
        // The emulator was killed.
    }
}

async function missingRows(access: Access, acknowledged: readonly number[]): Promise<number> {
    let client: Client | undefined;
    await eventually(async () => (client = await connect(access).catch(() => undefined)) !== undefined, 30_000);
    try {
        const ids = (await client?.query<{ id: number }>("SELECT id FROM written"))?.rows.map(({ id }) => id);
        return acknowledged.filter((row) => !ids?.includes(row)).length;
    } finally {
        await client?.end();
    }
}
