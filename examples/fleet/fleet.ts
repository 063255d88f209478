import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { LocalWorkspace, type OpMap, type Stack } from "@pulumi/pulumi/automation";
import * as clouddb from "pulumi-clouddb";

/** One stack of the fleet. */
export interface Tenant {
    readonly name: string;
    readonly cpuMillis: number;
}

/** The resources of each tenant. */
function program({ cpuMillis }: Tenant) {
    const database = new clouddb.Service("database", { cpuMillis });
    return Promise.resolve({ serviceId: database.serviceId, connectionString: database.connectionString });
}

const commands = ["preview", "up", "destroy"] as const;
type Command = (typeof commands)[number];

export interface FleetOptions {
    readonly tenants: readonly Tenant[];
    readonly command: Command;
    /** The number of stacks to update at a time. Each needs about 300 MB of memory. */
    readonly parallel: number;
    /** The folder for the files of each stack, below a folder with the installed package. Keep it between runs. */
    readonly folder: string;
    readonly log: (line: string) => void;
    /** Whether the databases may be deleted and replaced. */
    readonly unprotected?: boolean;
    /** After an abort, no further stack starts. Running updates continue. */
    readonly signal?: AbortSignal;
    readonly envVars?: Readonly<Record<string, string>>;
}

/** The result of one stack. */
export interface Outcome {
    readonly tenant: string;
    readonly result: "succeeded" | "failed" | "not started";
    readonly changes: OpMap;
    /** The API calls that a preview shows. */
    readonly plan?: readonly string[];
    readonly error?: string;
}

/**
 * Runs one command on every stack, a limited number at a time. If a stack fails, the others continue. It is safe to run
 * it again: a stack without changes stays unchanged, and a failed stack resumes.
 */
export async function runFleet(options: FleetOptions): Promise<Outcome[]> {
    const { tenants, parallel, signal, log } = options;
    const outcomes = new Map<string, Outcome>();
    const waiting = [...tenants];
    const work = async () => {
        for (let tenant = waiting.shift(); tenant !== undefined && !signal?.aborted; tenant = waiting.shift()) {
            log(`${tenant.name}: ${options.command} started`);
            const outcome = await runTenant(tenant, options);
            outcomes.set(tenant.name, outcome);
            log(`${tenant.name}: ${describe(outcome)} (${outcomes.size} of ${tenants.length})`);
        }
    };
    await Promise.all(Array.from({ length: Math.max(1, parallel) }, work));
    return tenants.map(({ name }) => outcomes.get(name) ?? { tenant: name, result: "not started", changes: {} });
}

async function runTenant(tenant: Tenant, options: FleetOptions): Promise<Outcome> {
    const { name } = tenant;
    try {
        const done = await run(await openStack(tenant, options), options.command);
        return { tenant: name, result: "succeeded", ...done };
    } catch (error) {
        return { tenant: name, result: "failed", changes: {}, error: reasonOf(error) };
    }
}

async function openStack(tenant: Tenant, { folder, envVars, unprotected = false }: FleetOptions): Promise<Stack> {
    const workDir = join(folder, tenant.name);
    mkdirSync(workDir, { recursive: true });
    const args = { projectName: "fleet", stackName: tenant.name, program: () => program(tenant) };
    const stack = await LocalWorkspace.createOrSelectStack(args, {
        workDir,
        ...(envVars && { envVars: { ...envVars } }),
    });
    await stack.setConfig("clouddb:deletionProtection", { value: String(!unprotected) });
    return stack;
}

async function run(stack: Stack, command: Command): Promise<Pick<Outcome, "changes" | "plan">> {
    switch (command) {
        case "preview": {
            const { changeSummary, stdout } = await stack.preview();
            return { changes: changeSummary, plan: stdout.match(/^ +\d+ [a-z].*$/gm) ?? [] };
        }
        case "up":
            return { changes: (await stack.up({ suppressProgress: true })).summary.resourceChanges ?? {} };
        case "destroy":
            return { changes: (await stack.destroy({ suppressProgress: true })).summary.resourceChanges ?? {} };
    }
}

/** Returns the error in Pulumi's output. */
function reasonOf(error: unknown): string {
    const text = error instanceof Error ? error.message : String(error);
    const lines = text
        .split("\n")
        .filter((line) => line.includes("error:") && !/update failed|preview failed/.test(line));
    return (lines.at(-1) ?? text).replace(/^.*?error:/, "").trim();
}

function describe({ result, changes, plan = [], error }: Outcome): string {
    const counts = Object.entries(changes).filter(([kind]) => kind !== "same");
    const summary = counts.map(([kind, count]) => `${count} ${kind}`).join(", ") || "no changes";
    return result === "succeeded"
        ? [summary, ...plan].join("\n")
        : `${result}${error === undefined ? "" : `: ${error}`}`;
}

/** Returns a table of all stacks. Failed stacks are last. */
export function summaryOf(outcomes: readonly Outcome[]): string {
    const order = ["succeeded", "not started", "failed"];
    const sorted = [...outcomes].sort((a, b) => order.indexOf(a.result) - order.indexOf(b.result));
    const width = Math.max(...outcomes.map(({ tenant }) => tenant.length));
    const counts = order.map((kind) => `${outcomes.filter(({ result }) => result === kind).length} ${kind}`);
    return [...sorted.map((one) => `${one.tenant.padEnd(width)}  ${describe(one)}`), counts.join(", ")].join("\n");
}

async function main(): Promise<void> {
    const { values, positionals } = parseArgs({
        allowPositionals: true,
        options: { parallel: { type: "string", default: "4" }, unprotected: { type: "boolean", default: false } },
    });
    const command = commands.find((one) => one === positionals[0]);
    if (command === undefined) {
        throw new Error(`Usage: fleet.ts ${commands.join("|")} [--parallel N] [--unprotected]`);
    }
    const stop = new AbortController();
    process.once("SIGINT", () => {
        stop.abort();
    });
    const outcomes = await runFleet({
        tenants: ["acme", "globex", "initech"].map((name) => ({ name, cpuMillis: 500 })),
        command,
        parallel: Number(values.parallel),
        folder: join(process.cwd(), ".fleet"),
        log: console.log,
        unprotected: values.unprotected,
        signal: stop.signal,
    });
    console.log(`\n${summaryOf(outcomes)}`);
    process.exitCode = outcomes.every(({ result }) => result === "succeeded") ? 0 : 1;
}

if (require.main === module) {
    void main();
}
