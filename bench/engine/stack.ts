import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { promisify } from "node:util";
import { variables } from "./names";
import type { ProbeReport } from "./probe";

export interface Surroundings {
    /** Of the repository. */
    readonly root: string;
    /** The environment of a Pulumi with the engine and its own folders. */
    readonly environment: (folders: { home: string; state: string }) => NodeJS.ProcessEnv;
}

export interface RunOptions {
    readonly count: number;
    readonly parallel?: number;
    /** The duration of a create with the provider that does nothing. */
    readonly sleepMs?: number;
}

/** This provider in both hosts, a dynamic provider that does nothing, and a plugin that does nothing. */
export type Contestant = "clouddb" | "native" | "idler" | "empty";

/** One run of `pulumi`. */
export interface EngineRun {
    readonly ms: number;
    /** Of the provider process, if there was one. */
    readonly probe: ProbeReport | undefined;
}

export interface StateResource {
    readonly type: string;
    readonly inputs?: Readonly<Record<string, unknown>>;
}

const name = "bench";
/** Longer than any run takes. */
const limitMs = 20 * 60_000;
const display = ["--suppress-permalink=true", "--suppress-outputs", "--suppress-progress"];

/** A Pulumi stack in a temporary folder, without the user's settings. */
export class Stack {
    private readonly folder: string;
    private readonly env: NodeJS.ProcessEnv;

    constructor(
        contestant: Contestant,
        { root, environment }: Surroundings,
        api: { readonly url: string; readonly token: string; readonly projectId: string },
    ) {
        // Below the root, where the program and the provider find their modules.
        this.folder = mkdtempSync(join(root, "dist", ".bench-"));
        const built = join(root, "dist", ".build", "bench", "engine");
        for (const folder of ["state", "home", "probes"]) {
            mkdirSync(join(this.folder, folder));
        }
        const runtime = { name: "nodejs", options: { typescript: false } };
        const plugins = pluginsOf(contestant, root, this.folder);
        writeFileSync(
            join(this.folder, "Pulumi.yaml"),
            JSON.stringify({ name, main: "index.js", runtime, ...plugins }),
        );
        writeFileSync(
            join(this.folder, "pulumi-resource-bench"),
            `#!/usr/bin/env node\nrequire(${JSON.stringify(join(built, "emptyPlugin.js"))});\n`,
            { mode: 0o755 },
        );
        writeFileSync(join(this.folder, "package.json"), JSON.stringify({ name, main: "index.js" }));
        writeFileSync(join(this.folder, "index.js"), `require(${JSON.stringify(join(built, "program.js"))});\n`);
        this.env = {
            ...environment({ home: join(this.folder, "home"), state: join(this.folder, "state") }),
            CLOUDDB_BASE_URL: api.url,
            CLOUDDB_ACCESS_TOKEN: api.token,
            CLOUDDB_PROJECT_ID: api.projectId,
            NODE_OPTIONS: `--require ${JSON.stringify(join(built, "probe.js"))}`,
            [variables.kind]: contestant,
            [variables.probe]: join(this.folder, "probes"),
        };
    }

    async init(): Promise<void> {
        await this.run(["stack", "init", name, "--secrets-provider", "passphrase"], { count: 0 });
    }

    up(options: RunOptions): Promise<EngineRun> {
        // A preview would cost both sides the same and hide a part of the difference.
        return this.run(["up", "--yes", "--skip-preview", ...display], options);
    }

    preview(options: RunOptions): Promise<EngineRun> {
        return this.run(["preview", ...display], options);
    }

    state(): readonly StateResource[] {
        const file = join(this.folder, "state", ".pulumi", "stacks", name, `${name}.json`);
        const { checkpoint } = JSON.parse(readFileSync(file, "utf8")) as {
            checkpoint: { latest: { resources?: StateResource[] } };
        };
        return checkpoint.latest.resources ?? [];
    }

    /** Removes all resources from the state and deletes nothing, so that the next `up` creates them again. */
    async forget(): Promise<void> {
        if (this.state().length > 0) {
            await this.run(["stack", "rm", name, "--yes", "--force"], { count: 0 });
            await this.init();
        }
    }

    remove(): void {
        rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
    }

    private async run(command: readonly string[], { count, sleepMs = 0, parallel }: RunOptions): Promise<EngineRun> {
        const probes = join(this.folder, "probes");
        readdirSync(probes).forEach((file) => rmSync(join(probes, file)));
        const args = [
            ...command,
            "--non-interactive",
            ...(parallel === undefined ? [] : ["--parallel", String(parallel)]),
        ];
        const env = { ...this.env, [variables.count]: String(count), [variables.sleepMs]: String(sleepMs) };
        const began = performance.now();
        await promisify(execFile)("pulumi", args, { cwd: this.folder, env, timeout: limitMs, maxBuffer: Infinity });
        const ms = performance.now() - began;
        const file = readdirSync(probes).find((found) => found.endsWith(".json"));
        const probe =
            file === undefined ? undefined : (JSON.parse(readFileSync(join(probes, file), "utf8")) as ProbeReport);
        return { ms, probe };
    }
}

/** Where the engine finds the plugin of a contestant. */
function pluginsOf(contestant: Contestant, root: string, folder: string): object {
    switch (contestant) {
        case "native":
            return { plugins: { providers: [{ name: "clouddb", path: root }] } };
        case "empty":
            return { plugins: { providers: [{ name: "bench", path: folder }] } };
        default:
            return {};
    }
}
