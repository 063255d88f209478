import {
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    statSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { removeAtExit, removeFolder, runToEnd } from "./child";
import { baselineModule, countVariable, kindVariable, probeVariable, sleepVariable, type Contestant } from "./names";
import type { ProbeReport } from "./probe";

/** Where the real engine is found, and what it is to talk to. */
export interface Surroundings {
    /** Of the repository. */
    readonly root: string;
    /** The environment's PATH, with the engine. */
    readonly path: string;
}

/** The emulator of a stack, as the provider finds it. */
export interface Service {
    readonly url: string;
    readonly token: string;
    readonly projectId: string;
}

export interface RunOptions {
    readonly count: number;
    readonly parallel?: number;
    /** How long the baseline sleeps in a create. */
    readonly sleepMs?: number;
}

/** One run of the command-line program `pulumi`. */
export interface EngineRun {
    readonly ms: number;
    /** Of the provider process, if there was one. */
    readonly probe: ProbeReport | undefined;
}

const projectName = "bench";
const stackName = "bench";

/** A Pulumi stack of its own, in a folder of its own, that knows nothing of the user's. */
export class Stack {
    private readonly folder = mkdtempSync(join(tmpdir(), "clouddb-bench-"));
    private readonly probes = join(this.folder, "probes");
    private readonly env: NodeJS.ProcessEnv;

    private constructor(
        private readonly contestant: Contestant,
        { root, path }: Surroundings,
        service: Service,
    ) {
        removeAtExit(this.folder);
        const built = join(root, "dist", "bench", "engine");
        const modules = join(this.folder, "node_modules");
        for (const folder of ["state", "home", "probes", "node_modules"]) {
            mkdirSync(join(this.folder, folder));
        }
        // A provider process looks for modules from the program's folder upwards.
        symlinkSync(built, join(modules, baselineModule), "junction");
        symlinkSync(root, join(modules, "pulumi-clouddb"), "junction");
        symlinkSync(
            dirname(dirname(require.resolve("@pulumi/pulumi/package.json"))),
            join(modules, "@pulumi"),
            "junction",
        );
        const project = {
            name: projectName,
            main: "index.js",
            runtime: { name: "nodejs", options: { typescript: false } },
        };
        writeFileSync(join(this.folder, "Pulumi.yaml"), JSON.stringify(project));
        writeFileSync(join(this.folder, "package.json"), JSON.stringify({ name: projectName, main: "index.js" }));
        writeFileSync(join(this.folder, "index.js"), `require(${JSON.stringify(join(built, "program.js"))});\n`);
        const kept = Object.entries(process.env).filter(([name]) => !/^(PULUMI|CLOUDDB|NODE_OPTIONS)/i.test(name));
        this.env = {
            ...Object.fromEntries(kept),
            PATH: path,
            PULUMI_HOME: join(this.folder, "home"),
            PULUMI_BACKEND_URL: pathToFileURL(join(this.folder, "state")).href,
            PULUMI_CONFIG_PASSPHRASE: "a passphrase of the benchmark",
            PULUMI_SKIP_UPDATE_CHECK: "true",
            PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
            CLOUDDB_BASE_URL: service.url,
            CLOUDDB_ACCESS_TOKEN: service.token,
            CLOUDDB_PROJECT_ID: service.projectId,
            NO_PROXY: "127.0.0.1,localhost",
            no_proxy: "127.0.0.1,localhost",
            NODE_OPTIONS: `--require ${JSON.stringify(join(built, "probe.js"))}`,
            [kindVariable]: contestant,
            [probeVariable]: this.probes,
        };
    }

    static async create(contestant: Contestant, surroundings: Surroundings, service: Service): Promise<Stack> {
        const stack = new Stack(contestant, surroundings, service);
        await stack.run(["stack", "init", stackName, "--secrets-provider", "passphrase"], { count: 0 });
        return stack;
    }

    up(options: RunOptions): Promise<EngineRun> {
        // The preview before it would cost both sides the same and make the difference look smaller.
        return this.run(["up", "--yes", "--skip-preview", ...display, ...parallel(options)], options);
    }

    preview(options: RunOptions): Promise<EngineRun> {
        return this.run(["preview", ...display, ...parallel(options)], options);
    }

    /** The file that Pulumi keeps the stack's state in. */
    state(): { bytes: number; resources: StateResource[] } {
        const file = join(this.folder, "state", ".pulumi", "stacks", projectName, `${stackName}.json`);
        const { checkpoint } = JSON.parse(readFileSync(file, "utf8")) as {
            checkpoint: { latest: { resources?: StateResource[] } };
        };
        return { bytes: statSync(file).size, resources: checkpoint.latest.resources ?? [] };
    }

    /** Forgets all resources without deleting anything, so that the next `up` makes them once more. */
    async forget(): Promise<void> {
        if (this.state().resources.length === 0) {
            return;
        }
        await this.run(["stack", "rm", stackName, "--yes", "--force"], { count: 0 });
        await this.run(["stack", "init", stackName, "--secrets-provider", "passphrase"], { count: 0 });
    }

    remove(): void {
        removeFolder(this.folder);
    }

    private async run(args: readonly string[], { count, sleepMs = 0 }: RunOptions): Promise<EngineRun> {
        for (const file of readdirSync(this.probes)) {
            rmSync(join(this.probes, file));
        }
        const env = { ...this.env, [countVariable]: String(count), [sleepVariable]: String(sleepMs) };
        const began = performance.now();
        const { code, output } = await runToEnd("pulumi", [...args, "--non-interactive"], { cwd: this.folder, env });
        const ms = performance.now() - began;
        if (code !== 0) {
            throw new Error(`pulumi ${args.join(" ")} of ${this.contestant} ended with code ${code}:\n${output}`);
        }
        const [file] = readdirSync(this.probes);
        const probe = file && (JSON.parse(readFileSync(join(this.probes, file), "utf8")) as ProbeReport);
        return { ms, probe: probe === "" ? undefined : probe };
    }
}

export interface StateResource {
    readonly type: string;
    readonly inputs?: Readonly<Record<string, unknown>>;
}

const display = ["--suppress-permalink=true", "--suppress-outputs", "--suppress-progress"];

const parallel = ({ parallel: many }: RunOptions) => (many === undefined ? [] : ["--parallel", String(many)]);
