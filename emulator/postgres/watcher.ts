import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";

/** The folders whose servers the watcher ends. */
export interface Watched {
    /** The temporary folder, which is always removed. */
    run: string;
    /** The parent of the servers' folders. */
    data: string;
    /** Whether to keep `data` when the emulator stops. */
    isKept: boolean;
}

/** Written to the watcher before its input ends, if no server is being started. */
const orderlyEnd = "orderly\n";

/**
 * A separate process that ends all servers and removes the folders when the emulator ends, also by SIGKILL. It detects that by
 * the end of its input.
 */
export class Watcher {
    private readonly process: ChildProcess;
    private readonly ended: Promise<void>;

    constructor(watched: Watched) {
        const script = `${endAll.toString()}\n(${watch.toString()})(${JSON.stringify({ ...watched, orderly: orderlyEnd })})`;
        const child = spawn(process.execPath, ["-e", script], {
            cwd: "/",
            stdio: ["pipe", "ignore", "ignore"],
            // Ctrl-C in a terminal must only reach the emulator.
            detached: true,
        });
        this.process = child;
        this.ended = new Promise((resolve) => child.once("close", () => resolve()));
        child.stdin.on("error", () => undefined);
    }

    /** Resolves when all servers have ended and the folders are removed. */
    async finish(): Promise<void> {
        this.process.stdin?.end(orderlyEnd);
        await this.ended;
    }
}

/** Ends the servers in `data` that an earlier emulator may have left running. */
export const endServers = (data: string): Promise<void> => endAll(data, true);

/** Must be self-contained, because it also runs in the watcher. */
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
        // Another process may have reused the pid. The command line of a zombie process is empty.
        return send(pid, 0) && (!existsSync("/proc/self") || textOf(commandLine).includes(data));
    };
    const running = (): number[] =>
        (existsSync(data) ? readdirSync(data) : [])
            .flatMap((name) => [`${data}/${name}/postmaster.pid`, `${data}/${name}/pgbouncer.pid`])
            .map((file) => Number.parseInt(textOf(file), 10))
            .filter((pid) => pid > 1 && isOurs(pid));
    const pids = running();
    for (const pid of pids) {
        send(pid, mayTakeTime ? "SIGINT" : "SIGQUIT");
    }
    const deadline = Date.now() + giveUpAfterMs;
    while (pids.some(isOurs)) {
        if (Date.now() > deadline) {
            for (const pid of pids) {
                if (isOurs(pid)) {
                    send(pid, "SIGKILL");
                }
            }
        }
        await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
}

/** Must be self-contained except for `endAll`, because it runs in the watcher. */
function watch({ run, data, isKept, orderly }: Watched & { orderly: string }): void {
    const { existsSync, readdirSync, promises } = process.getBuiltinModule("node:fs");
    // A server that was being started may write its pid file late.
    const rounds = 20;
    const pauseMs = 100;
    const forced = { recursive: true, force: true, maxRetries: 5 };
    // Concurrently, because the folders contain thousands of files.
    const remove = async (): Promise<void> => {
        const folders = isKept ? [] : (existsSync(data) ? readdirSync(data) : []).map((name) => `${data}/${name}`);
        await Promise.all(folders.map((folder) => promises.rm(folder, forced)));
        await promises.rm(run, forced);
    };
    let input = "";
    for (const signal of ["SIGINT", "SIGHUP"] as const) {
        process.on(signal, () => undefined);
    }
    process.stdin.on("data", (data: Buffer) => (input += data.toString()));
    process.stdin.on("close", () => {
        void (async () => {
            for (let round = 0; round < (input === orderly ? 1 : rounds); round++) {
                if (round > 0) {
                    await new Promise((resolve) => setTimeout(resolve, pauseMs));
                }
                await endAll(data, isKept);
                await remove();
            }
        })();
    });
}
