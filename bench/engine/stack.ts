import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { promisify } from "node:util";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import { variables } from "./baseline";

export interface Surroundings {
    /** Of the repository. */
    readonly root: string;
    /** The folder with the compiled programs of the benchmark. */
    readonly programs: string;
    /** The environment in which Pulumi uses this engine and its own folders. */
    readonly environment: (folders: { home: string; state: string }) => NodeJS.ProcessEnv;
}

/** This provider in both hosts, and a dynamic provider that does nothing. */
export type Contestant = "clouddb" | "native" | "idler";

export interface StateResource {
    readonly type: string;
    readonly inputs?: Readonly<Record<string, unknown>>;
}

const name = "bench";
/** Longer than any run takes. */
const limitMs = 20 * 60_000;
const parallel = 100;
const display = ["--suppress-permalink=true", "--suppress-outputs", "--suppress-progress"];

/** A Pulumi stack in a temporary folder with its own emulator, without the user's settings. */
export class Stack {
    private readonly folder: string;
    private readonly env: NodeJS.ProcessEnv;

    private constructor(
        readonly contestant: Contestant,
        { root, programs, environment }: Surroundings,
        readonly emulator: Emulator,
        /** The duration of a create with the provider that does nothing. */
        sleepMs: number,
    ) {
        // Below the root, where the program and the provider find their modules.
        this.folder = mkdtempSync(join(root, "dist", ".bench-"));
        for (const folder of ["state", "home"]) {
            mkdirSync(join(this.folder, folder));
        }
        const providers = contestant === "native" ? [{ name: "clouddb", path: root }] : [];
        // TypeScript, like most programs: stack traces then cost much more.
        const runtime = "nodejs";
        const files = {
            "Pulumi.yaml": JSON.stringify({ name, main: "index.js", runtime, plugins: { providers } }),
            "package.json": JSON.stringify({ name, main: "index.js" }),
            "index.js": `require(${JSON.stringify(join(programs, "program.js"))});\n`,
        };
        for (const [file, text] of Object.entries(files)) {
            writeFileSync(join(this.folder, file), text);
        }
        this.env = {
            ...environment({ home: join(this.folder, "home"), state: join(this.folder, "state") }),
            CLOUDDB_BASE_URL: emulator.url,
            CLOUDDB_ACCESS_TOKEN: emulator.token,
            CLOUDDB_PROJECT_ID: emulator.projectId,
            [variables.kind]: contestant,
            [variables.sleepMs]: String(sleepMs),
        };
    }

    static async start(
        contestant: Contestant,
        surroundings: Surroundings,
        options: EmulatorOptions,
        sleepMs = 0,
    ): Promise<Stack> {
        const stack = new Stack(contestant, surroundings, await startEmulator(options), sleepMs);
        try {
            await stack.init();
        } catch (error) {
            await stack.remove();
            throw error;
        }
        return stack;
    }

    up(count: number): Promise<number> {
        // A preview costs all sides the same time and would hide part of the difference.
        return this.run(["up", "--yes", "--skip-preview", "--parallel", String(parallel), ...display], count);
    }

    preview(count: number): Promise<number> {
        return this.run(["preview", ...display], count);
    }

    /** The services in the state file, or the corresponding resources of another provider. */
    services(): readonly StateResource[] {
        const file = join(this.folder, "state", ".pulumi", "stacks", name, `${name}.json`);
        const { checkpoint } = JSON.parse(readFileSync(file, "utf8")) as {
            checkpoint: { latest: { resources?: StateResource[] } };
        };
        return (checkpoint.latest.resources ?? []).filter(({ type }) => /:(Service|Idler)$/.test(type));
    }

    /** Removes all resources from the state and the emulator, so that the next `up` creates them again. */
    async reset(): Promise<void> {
        if (this.services().length > 0) {
            await this.run(["stack", "rm", name, "--yes", "--force"]);
            await this.init();
        }
        this.emulator.reset();
    }

    async ensureUp(count: number): Promise<void> {
        if (this.services().length !== count) {
            await this.up(count);
        }
    }

    async remove(): Promise<void> {
        rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
        await this.emulator.close();
    }

    private async init(): Promise<void> {
        await this.run(["stack", "init", name, "--secrets-provider", "passphrase"]);
    }

    /** The time of one run of `pulumi`, in milliseconds. */
    private async run(command: readonly string[], count = 0): Promise<number> {
        const env = { ...this.env, [variables.count]: String(count) };
        const options = { cwd: this.folder, env, timeout: limitMs, maxBuffer: Infinity };
        const began = performance.now();
        await promisify(execFile)("pulumi", [...command, "--non-interactive"], options);
        return performance.now() - began;
    }
}
