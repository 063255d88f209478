import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { table } from "./report";
import { median } from "./statistics";

/** The built command, in the folder of a checkout. */
export const command = join("dist", "emulator", "cli.js");
const [token, project] = ["bench-token", "emulator01"];
const rounds = 7;
const atATime = 8;
const pollMs = 10;

/** Figures of one emulator by their names, which contain the unit. */
type Sample = Record<string, number>;

/** Whether the checkout in this folder is built. */
export const isBuilt = (folder: string): boolean => existsSync(join(folder, command));

/**
 * Compares the emulator of this checkout with that of another one: start, memory, requests per second, and databases. They
 * run alternately, and change their order in each round. Returns a table as Markdown. Both must be built.
 */
export async function compareEmulators(here: string, other: string, progress: (text: string) => void): Promise<string> {
    const samples: { ours: Sample; theirs: Sample }[] = [];
    for (let round = 0; round <= rounds; round++) {
        const isReversed = round % 2 === 1;
        const first = await sample(isReversed ? other : here);
        const second = await sample(isReversed ? here : other);
        // The first round fills the caches of the system.
        if (round > 0) {
            samples.push(isReversed ? { ours: second, theirs: first } : { ours: first, theirs: second });
        }
        progress(`round ${round} of ${rounds}`);
    }
    const names = Object.keys(samples[0]?.ours ?? {});
    return table(
        ["median", "this checkout", "the other", "ratio", "of the rounds"],
        names.map((name) => {
            const ours = samples.map((one) => one.ours[name] ?? NaN);
            const theirs = samples.map((one) => one.theirs[name] ?? NaN);
            const ratios = ours.map((value, index) => value / (theirs[index] ?? NaN));
            const range = `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`;
            return [name, ...[ours, theirs].map((all) => median(all).toFixed(0)), median(ratios).toFixed(2), range];
        }),
    );
}

async function sample(folder: string): Promise<Sample> {
    const plain = await withEmulator(folder, [], requestFigures);
    const full = await withEmulator(folder, ["--postgres"], databaseFigures);
    return {
        "start, ms": plain.startMs,
        ...plain.figures,
        "start with PostgreSQL, ms": full.startMs,
        ...full.figures,
        "stop with two databases, ms": full.stopMs,
    };
}

async function requestFigures({ send, memoryMb }: Running): Promise<Sample> {
    const figures: Sample = { "memory after the start, MB": memoryMb() };
    const ids: string[] = [];
    figures["creations per second"] = await perSecond(400, async (index) => {
        ids.push(idOf(await send("POST", "/services", { name: `orders-${index}` })));
    });
    figures["reads per second"] = await perSecond(4_000, (index) =>
        send("GET", `/services/${ids[index % ids.length] ?? ""}`),
    );
    figures["lists of 400 services per second"] = await perSecond(200, () => send("GET", "/services"));
    figures["memory after these requests, MB"] = memoryMb();
    return figures;
}

async function databaseFigures({ send, memoryMb }: Running): Promise<Sample> {
    const figures: Sample = {};
    const created = performance.now();
    const id = idOf(await send("POST", "/services", { name: "orders" }));
    await untilReady(send, id);
    figures["creation with PostgreSQL, ms"] = performance.now() - created;
    const forked = performance.now();
    const fork = { name: "fork", fork_strategy: "NOW" };
    await untilReady(send, idOf(await send("POST", `/services/${id}/forkService`, fork)));
    figures["fork with PostgreSQL, ms"] = performance.now() - forked;
    figures["memory with two databases, MB"] = memoryMb();
    return figures;
}

interface Running {
    readonly send: (method: string, path: string, body?: object) => Promise<unknown>;
    readonly memoryMb: () => number;
}

/** Starts the emulator of a checkout, measures it, and stops it, also after an error. */
async function withEmulator(
    folder: string,
    options: readonly string[],
    measure: (running: Running) => Promise<Sample>,
) {
    const began = performance.now();
    const args = [join(folder, command), "--speed", "1000", "--token", token, "--project", project, ...options];
    const emulator = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise<void>((resolve) => emulator.once("exit", () => resolve()));
    const stop = async (): Promise<number> => {
        const stopped = performance.now();
        emulator.kill("SIGTERM");
        await ended;
        return performance.now() - stopped;
    };
    try {
        const url = await new Promise<string>((resolve, reject) => {
            let printed = "";
            emulator.stdout.on("data", (data: Buffer) => {
                printed += data.toString();
                const found = /LISTENING (\S+)\n/.exec(printed)?.[1];
                if (found !== undefined) {
                    resolve(found);
                }
            });
            void ended.then(() => reject(new Error(`The emulator of ${folder} ended.`)));
        });
        const startMs = performance.now() - began;
        const figures = await measure({
            send: async (method, path, body) => {
                const response = await fetch(`${url}/projects/${project}${path}`, {
                    method,
                    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
                    ...(body && { body: JSON.stringify(body) }),
                });
                const text = await response.text();
                if (!response.ok) {
                    throw new Error(`${method} ${path}: ${response.status} ${text}`);
                }
                return text === "" ? undefined : (JSON.parse(text) as unknown);
            },
            memoryMb: () => Number(execFileSync("ps", ["-o", "rss=", "-p", String(emulator.pid)]).toString()) / 1_024,
        });
        return { startMs, figures, stopMs: await stop() };
    } finally {
        emulator.kill("SIGTERM");
    }
}

const idOf = (service: unknown): string => (service as { service_id: string }).service_id;

/** Resolves when the service is READY. */
async function untilReady(send: Running["send"], id: string): Promise<void> {
    for (;;) {
        const { status } = (await send("GET", `/services/${id}`)) as { status: string };
        if (status === "READY") {
            return;
        }
        if (status === "UNSTABLE") {
            throw new Error(`Service ${id} is UNSTABLE.`);
        }
        await sleep(pollMs);
    }
}

/** Does all work, some of it at the same time. Returns how much of it was done in a second. */
async function perSecond(times: number, work: (index: number) => Promise<unknown>): Promise<number> {
    const began = performance.now();
    const indices = Array.from({ length: times }, (_, index) => index);
    const next = async (): Promise<void> => {
        for (let index = indices.shift(); index !== undefined; index = indices.shift()) {
            await work(index);
        }
    };
    await Promise.all(Array.from({ length: atATime }, next));
    return (times * 1_000) / (performance.now() - began);
}
