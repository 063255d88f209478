import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The child processes of a process, and their descendants. */
export function descendantsOf(pid: number): number[] {
    const parents = new Map<number, number>();
    for (const name of readdirSync("/proc")) {
        const parent = /^\d+$/.test(name) ? parentOf(Number(name)) : undefined;
        if (parent !== undefined) {
            parents.set(Number(name), parent);
        }
    }
    const below = (of: number): number[] =>
        [...parents].filter(([, parent]) => parent === of).flatMap(([child]) => [child, ...below(child)]);
    return below(pid);
}

/** The processes of our provider that a run of the engine has started. */
export const providersOf = (engine: number): number[] =>
    descendantsOf(engine).filter((pid) => /dynamic-provider|pulumi-resource-clouddb/.test(commandOf(pid)));

/** Longer than the provider takes to detect that its engine has ended, and to exit. */
const endsWithinMs = 15_000;
const pollMs = 100;

/** The engine's processes that keep running after a kill, and that the engine can no longer end. */
export class LeftBehind {
    /** With their start times, because the system can reuse a pid. */
    private all: { pid: number; began: string | undefined }[] = [];
    private providers: number[] = [];

    /** Records the processes of the engine. Call it while the engine runs. */
    note(engine: number): void {
        this.all = descendantsOf(engine).map((pid) => ({ pid, began: startOf(pid) }));
        this.providers = providersOf(engine);
    }

    /** Whether our provider ends by itself. */
    async providersEnd(): Promise<boolean> {
        for (let left = endsWithinMs / pollMs; left > 0 && this.providers.some(isAlive); left--) {
            await sleep(pollMs);
        }
        return !this.providers.some(isAlive);
    }

    async end(): Promise<void> {
        await endProcesses(this.all.filter(({ pid, began }) => startOf(pid) === began).map(({ pid }) => pid));
    }
}

/** Kills processes, and waits until they have ended. */
export async function endProcesses(pids: readonly number[]): Promise<void> {
    pids.forEach((pid) => kill(pid));
    for (let polls = 0; polls < 100 && pids.some(isAlive); polls++) {
        await sleep(20);
    }
}

/** Ends processes of a run: the engine, our provider, or all of them with a signal that they can handle. */
export function killProcesses(which: "engine" | "provider" | "all", engine: number): void {
    switch (which) {
        case "engine":
            kill(engine);
            break;
        case "provider":
            providersOf(engine).forEach((pid) => kill(pid));
            break;
        case "all":
            [engine, ...descendantsOf(engine)].forEach((pid) => kill(pid, "SIGTERM"));
    }
}

export function kill(pid: number, signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): void {
    try {
        process.kill(pid, signal);
    } catch {
        // It has already ended.
    }
}

/** A zombie process is not alive. */
export function isAlive(pid: number): boolean {
    const state = statOf(pid)?.[0];
    return state !== undefined && state !== "Z";
}

const parentOf = (pid: number): number | undefined => {
    const parent = statOf(pid)?.[1];
    return parent === undefined ? undefined : Number(parent);
};

const startField = 19;
const startOf = (pid: number): string | undefined => statOf(pid)?.[startField];

/** The fields after the name: state, parent and so on. The name can contain any character. */
function statOf(pid: number): string[] | undefined {
    try {
        const text = readFileSync(`/proc/${pid}/stat`, "utf8");
        return text.slice(text.lastIndexOf(")") + 2).split(" ");
    } catch {
        return undefined;
    }
}

function commandOf(pid: number): string {
    try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    } catch {
        return "";
    }
}
