import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** The processes that a process has started, and those that these have started. */
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

/** Those that run our provider among the processes that a run of the engine has started. */
export const providersOf = (engine: number): number[] =>
    descendantsOf(engine).filter((pid) => /dynamic-provider|pulumi-resource-clouddb/.test(commandOf(pid)));

/** More than the provider takes to notice that its engine is gone, and to end. */
const endsWithinMs = 15_000;
const lookMs = 100;

/** What runs on after a process was killed: it is the engine's, and the engine cannot end it any more. */
export class LeftBehind {
    /** With the time of their start: a number may be given to another process later. */
    private all: { pid: number; began: string | undefined }[] = [];
    private providers: number[] = [];

    /** Notes everything that the engine has started, while it lives. */
    note(engine: number): void {
        this.all = descendantsOf(engine).map((pid) => ({ pid, began: startOf(pid) }));
        this.providers = providersOf(engine);
    }

    /** Whether our provider ends by itself. */
    async providersEnd(): Promise<boolean> {
        for (let left = endsWithinMs / lookMs; left > 0 && this.providers.some(isAlive); left--) {
            await sleep(lookMs);
        }
        return !this.providers.some(isAlive);
    }

    async end(): Promise<void> {
        await endProcesses(this.all.filter(({ pid, began }) => startOf(pid) === began).map(({ pid }) => pid));
    }
}

/** Ends processes for good, and waits until they are gone. */
export async function endProcesses(pids: readonly number[]): Promise<void> {
    pids.forEach(kill);
    for (let looks = 0; looks < 100 && pids.some(isAlive); looks++) {
        await sleep(20);
    }
}

export function kill(pid: number): void {
    try {
        process.kill(pid, "SIGKILL");
    } catch {
        // It has ended by itself.
    }
}

/** A dead one that nobody has buried is dead. */
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

/** State, parent and so on: what stands behind the name, which may hold anything. */
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
