import { spawn, type ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { identityOf } from "../processes";
import { endServers, type EndOptions } from "./endServers";
import { removeTree } from "./inside";

/** The folders whose servers the watcher ends. */
export interface Watched {
    /** The temporary folder, which is always removed. */
    run: string;
    /** The parent of the servers' folders. */
    data: string;
    /** Whether to keep `data` when the emulator stops. */
    isKept: boolean;
}

/** The file in `data` that names the emulator to which the servers belong. */
export const ownerFile = "owner";

/** The time that servers get for an orderly end before they are forced. */
const closeMs = 10_000;

/** A killed shell is replaced after this time. */
const pauseMs = 1_000;

/** Waits for the end of the input, and then becomes the given program, unless the last line was "orderly". */
const wait = [
    'trap "" INT TERM HUP QUIT',
    "end=; while read -r line; do end=$line; done",
    '[ "$end" = orderly ] || exec "$@"',
].join("\n");

/**
 * Ends all servers and removes the temporary folders when the emulator ends, even by SIGKILL. A shell waits for the end of its
 * input, because a waiting Node.js would need much more memory.
 */
export class Watcher {
    private process: ChildProcess;
    private isFinished = false;

    constructor(
        private readonly watched: Watched,
        private readonly report: (line: string) => void,
    ) {
        this.process = this.start();
    }

    /** Ends the servers, removes the folders that are not kept, and stops watching. */
    async finish(): Promise<void> {
        await cleanUp(this.watched, { patienceMs: this.watched.isKept ? closeMs : 0 }, endServers, removeTree);
        this.isFinished = true;
        const { process: watcher } = this;
        watcher.ref();
        const ended = new Promise((resolve) => watcher.once("exit", resolve));
        watcher.stdin?.end("orderly\n");
        if (watcher.pid !== undefined && watcher.exitCode === null && watcher.signalCode === null) {
            await ended;
        }
    }

    private start(): ChildProcess {
        const program = [process.execPath, "-e", scriptOf(this.watched)];
        // Ctrl-C in a terminal must only reach the emulator.
        const watcher = spawn("/bin/sh", ["-c", wait, "sh", ...program], {
            cwd: "/",
            stdio: ["pipe", "ignore", "ignore"],
            detached: true,
        });
        watcher.unref();
        watcher.stdin.on("error", () => undefined);
        (watcher as unknown as { stdin: Socket }).stdin.unref();
        watcher.once("error", ({ message }) =>
            this.report(`${message}. If this emulator is killed, its servers run until the next one starts.`),
        );
        watcher.once("exit", () => {
            const restart = (): void => {
                if (!this.isFinished) {
                    this.process = this.start();
                }
            };
            setTimeout(restart, pauseMs).unref();
        });
        return watcher;
    }
}

/** The program that the watcher becomes. Its functions are self-contained and get the others as arguments. */
function scriptOf(watched: Watched): string {
    const values = [watched, identityOf(process.pid)].map((value) => JSON.stringify(value));
    const functions = [identityOf, cleanUp, endServers, removeTree].map(String);
    return `(${afterCrash.toString()})(${[...values, ...functions].join(", ")});`;
}

/** Cleans up for an emulator that was killed, unless another emulator already uses its folder. */
function afterCrash(
    watched: Watched,
    emulator: string,
    identify: typeof identityOf,
    clean: typeof cleanUp,
    end: typeof endServers,
    remove: typeof removeTree,
): void {
    const { readFileSync } = process.getBuiltinModule("node:fs");
    const patienceMs = 2_000;
    const quietMs = 1_000;
    const pollMs = 50;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
        process.on(signal, () => undefined);
    }
    const mayEnd = (): boolean => {
        try {
            return readFileSync(`${watched.data}/owner`, "utf8") === emulator;
        } catch {
            return !watched.isKept;
        }
    };
    const act = async (): Promise<void> => {
        // The input ends a moment before the emulator.
        for (let waited = 0; identify(Number.parseInt(emulator, 10)) === emulator; waited += pollMs) {
            if (waited > patienceMs) {
                return;
            }
            await new Promise((resolve) => setTimeout(resolve, pollMs));
        }
        await clean(watched, { patienceMs: watched.isKept ? patienceMs : 0, quietMs, mayEnd }, end, remove);
    };
    void act();
}

/** Ends the servers and removes the folders that are not kept. Self-contained. */
export async function cleanUp(
    { run, data, isKept }: Watched,
    options: EndOptions,
    end: typeof endServers,
    remove: typeof removeTree,
): Promise<void> {
    const { existsSync, readdirSync } = process.getBuiltinModule("node:fs");
    await end(data, options);
    // Concurrently, because the folders contain thousands of files.
    const folders = isKept || !existsSync(data) ? [] : readdirSync(data).map((name) => `${data}/${name}`);
    await Promise.all(folders.map(remove));
    await remove(run);
}
