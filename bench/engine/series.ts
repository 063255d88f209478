import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { defaultDurations, startEmulator } from "../../emulator";
import type { Contestant } from "./contestants";

/** The commands of a series, in their order, with their options. */
const commands = {
    up: ["up", "--yes", "--skip-preview"],
    preview: ["preview", "--expect-no-changes"],
    "up again": ["up", "--yes", "--skip-preview", "--expect-no-changes"],
    refresh: ["refresh", "--yes", "--skip-preview", "--expect-no-changes"],
    destroy: ["destroy", "--yes", "--skip-preview"],
} as const;

export type Command = keyof typeof commands;
export const allCommands = Object.keys(commands) as readonly Command[];

/** What each command has taken. */
export type Series = Readonly<Record<Command, { readonly seconds: number; readonly requests: number }>>;

/** Pulumi in an environment of its own, with its state in this folder. */
export interface Pulumi {
    readonly version: string;
    environmentIn(folder: string): Record<string, string>;
}

const atOnce = Object.fromEntries(Object.keys(defaultDurations).map((name) => [name, 0]));
const maxOutput = 2 ** 28;

/** Runs all commands once, with an emulator whose services are ready at once, and gone at once. */
export async function runSeries(
    contestant: Contestant,
    services: number,
    root: string,
    pulumi: Pulumi,
): Promise<Series> {
    let requests = 0;
    const emulator = await startEmulator({
        durations: atOnce,
        intercept: (_, carryOut) => {
            requests += 1;
            return carryOut();
        },
    });
    const folder = mkdtempSync(join(tmpdir(), "clouddb-bench-"));
    try {
        fill(folder, contestant, root);
        const env = {
            ...pulumi.environmentIn(folder),
            ...emulator.env,
            BENCH_SERVICES: String(services),
            BENCH_PACKAGE: contestant.package ?? "",
        };
        const run = (...args: readonly string[]) =>
            promisify(execFile)("pulumi", [...args, "--non-interactive"], { cwd: folder, env, maxBuffer: maxOutput });
        await run("stack", "init", "bench");
        const series: Partial<Record<Command, Series[Command]>> = {};
        for (const command of allCommands) {
            requests = 0;
            const began = performance.now();
            await run(...commands[command]);
            series[command] = { seconds: (performance.now() - began) / 1_000, requests };
            const expected = contestant.program === "empty" || command === "destroy" ? 0 : services;
            const { length: found } = emulator.snapshot().services;
            if (found !== expected) {
                throw new Error(
                    `After ${command} of ${contestant.name}, there are ${found} services, not ${expected}.`,
                );
            }
        }
        return series as Series;
    } finally {
        await emulator.close();
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
}

/** A project whose program finds the packages of the checkout. */
function fill(folder: string, { program, package: name, root: checkout }: Contestant, root: string): void {
    const plugins = { providers: [{ name: "clouddb", path: checkout }] };
    const isPlugin = name === "pulumi-clouddb/native";
    const settings = { name: "bench", runtime: "nodejs", ...(isPlugin && { plugins }) };
    writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify(settings));
    writeFileSync(join(folder, "package.json"), '{ "private": true, "main": "index.js" }');
    copyFileSync(join(root, "bench", "engine", "programs", `${program}.js`), join(folder, "index.js"));
    mkdirSync(join(folder, "node_modules"));
    mkdirSync(join(folder, "state"));
    symlinkSync(checkout, join(folder, "node_modules", "pulumi-clouddb"));
    symlinkSync(join(checkout, "node_modules", "@pulumi"), join(folder, "node_modules", "@pulumi"));
}
