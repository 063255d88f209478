import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { median } from "../statistics";
import type { Surroundings } from "./stack";

/** The time until a process prints its port, and its own memory then. Linux only. */
interface Start {
    readonly ms: number;
    readonly bytes: number;
}

/** The medians of the plugin as a single file and as a script, and the medians of their ratios. */
export interface StartFigures {
    readonly single: Start;
    readonly script: Start;
    readonly ratio: Start;
}

const rounds = 15;
const kilobyte = 1024;

/** Starts both plugins alternately. */
export async function measureStarts(
    { root, single }: Surroundings,
    progress: (text: string) => void,
): Promise<StartFigures> {
    progress("start of the plugin: single, native");
    const pairs: { single: Start; script: Start }[] = [];
    for (let round = 0; round <= rounds; round++) {
        const pair = {
            single: await start(join(single, "pulumi-resource-clouddb"), []),
            script: await start(process.execPath, [join(root, "dist", "plugin", "pulumi-resource-clouddb.js")]),
        };
        // The first round fills the caches of the system.
        if (round > 0) {
            pairs.push(pair);
        }
    }
    const medians = (of: (pair: (typeof pairs)[number]) => Start): Start => ({
        ms: median(pairs.map((pair) => of(pair).ms)),
        bytes: median(pairs.map((pair) => of(pair).bytes)),
    });
    return {
        single: medians((pair) => pair.single),
        script: medians((pair) => pair.script),
        ratio: medians((pair) => ({
            ms: pair.single.ms / pair.script.ms,
            bytes: pair.single.bytes / pair.script.bytes,
        })),
    };
}

async function start(command: string, args: readonly string[]): Promise<Start> {
    const began = performance.now();
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    try {
        await new Promise<void>((resolve, reject) => {
            child.stdout.once("data", () => resolve());
            void ended.then(() => reject(new Error(`${command} ended before it printed its port.`)));
        });
        const ms = performance.now() - began;
        // Without the pages of its files, which the system shares between processes and drops if necessary.
        const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
        return { ms, bytes: Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1]) * kilobyte };
    } finally {
        child.kill("SIGKILL");
        await ended;
    }
}
