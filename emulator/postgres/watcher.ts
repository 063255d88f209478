import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";

/** What the watcher has to end and remove. */
export interface Watched {
    /** Removed in any case. */
    run: string;
    /** Holds the folders of the servers. */
    data: string;
    /** Whether `data` outlives the emulator. */
    isKept: boolean;
}

/** Written before the end of the input when no server is being started any more. */
const ORDERLY = "orderly\n";

/**
 * A process of its own that ends all servers and removes the folders as soon as the emulator has ended, even by SIGKILL: its
 * input ends then.
 */
export class Watcher {
    readonly #process: ChildProcess;
    readonly #ended: Promise<void>;

    constructor(watched: Watched) {
        const script = `${endAll.toString()}\n(${watch.toString()})(${JSON.stringify({ ...watched, orderly: ORDERLY })})`;
        const child = spawn(process.execPath, ["-e", script], {
            cwd: "/",
            stdio: ["pipe", "ignore", "ignore"],
            // Ctrl-C in a terminal is for the emulator alone.
            detached: true,
        });
        this.#process = child;
        this.#ended = new Promise((resolve) => child.once("close", () => resolve()));
        child.stdin.on("error", () => undefined);
    }

    /** Resolves when no server runs and the folders are removed. */
    async finish(): Promise<void> {
        this.#process.stdin?.end(ORDERLY);
        await this.#ended;
    }
}

/** Ends the servers whose folders are in `data`, as a previous emulator may have left some. */
export const endServers = (data: string): Promise<void> => endAll(data, true);

/** Self-contained, as it also runs in the watcher. */
async function endAll(data: string, mayTakeTime: boolean): Promise<void> {
    const { existsSync, readdirSync, readFileSync } = process.getBuiltinModule("node:fs");
    const giveUpAfterMs = 10_000;
    const pollMs = 20;
    const textOf = (file: string): string => {
        try {
            return readFileSync(file, "utf8");
        } catch {
            return "";
        }
    };
    const send = (pid: number, signal: NodeJS.Signals | 0): boolean => {
        try {
            return process.kill(pid, signal);
        } catch {
            return false;
        }
    };
    const isOurs = (pid: number): boolean => {
        const commandLine = `/proc/${pid}/cmdline`;
        // Another process may have got the number; of one that has ended and was not collected nothing is left.
        return send(pid, 0) && (!existsSync("/proc/self") || textOf(commandLine).includes(data));
    };
    const running = (): number[] =>
        (existsSync(data) ? readdirSync(data) : [])
            .flatMap((name) => [`${data}/${name}/postmaster.pid`, `${data}/${name}/pgbouncer.pid`])
            .map((file) => Number.parseInt(textOf(file), 10))
            .filter((pid) => pid > 1 && isOurs(pid));
    const pids = running();
    for (const pid of pids) send(pid, mayTakeTime ? "SIGINT" : "SIGQUIT");
    const deadline = Date.now() + giveUpAfterMs;
    while (pids.some(isOurs)) {
        if (Date.now() > deadline) for (const pid of pids) if (isOurs(pid)) send(pid, "SIGKILL");
        await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
}

/** Self-contained except for `endAll`, as it runs in the watcher alone. */
function watch({ run, data, isKept, orderly }: Watched & { orderly: string }): void {
    const { existsSync, readdirSync, promises } = process.getBuiltinModule("node:fs");
    // A server that was just being started may write its process number only now.
    const rounds = 20;
    const pauseMs = 100;
    const forced = { recursive: true, force: true, maxRetries: 5 };
    // Several at a time, as they hold thousands of files.
    const remove = async (): Promise<void> => {
        const folders = isKept ? [] : (existsSync(data) ? readdirSync(data) : []).map((name) => `${data}/${name}`);
        await Promise.all(folders.map((folder) => promises.rm(folder, forced)));
        await promises.rm(run, forced);
    };
    let said = "";
    for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
    process.stdin.on("data", (data: Buffer) => (said += data.toString()));
    process.stdin.on("close", () => {
        void (async () => {
            for (let round = 0; round < (said === orderly ? 1 : rounds); round++) {
                if (round > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
                await endAll(data, isKept);
                await remove();
            }
        })();
    });
}
