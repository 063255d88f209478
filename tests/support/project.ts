import { execFile, spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Emulator, EmulatorOptions } from "../../emulator";
import { root } from "./documents";
import { environmentOf, projectFileFor, quickNode, secretsProvider, startFastEmulator, workDir } from "./engine";
import { backendIn } from "./folder";
import { kill } from "./processes";
import { pack, startRegistry } from "./registry";

/** A Pulumi command that is running. */
export type Running = ReturnType<typeof start>;
export type Ended = Awaited<Running["ended"]>;

export type TestProject = ReturnType<typeof projectIn>;

/** Longer than any run with a fast emulator. */
const commandLimitMs = 300_000;

/** Copies a folder of the repository, without the files of npm and Pulumi. */
export function fromFolder(path: string): (folder: string) => void {
    return (folder) =>
        cpSync(join(root, path), folder, {
            recursive: true,
            filter: (source) => basename(source) !== "node_modules" && !/^Pulumi\..+\.yaml$/.test(basename(source)),
        });
}

/** A project with this program, which loads the package of the host. A program in JavaScript starts sooner. */
export function fromText(program: string, file: "index.js" | "index.ts" = "index.js"): (folder: string) => void {
    return (folder) => {
        writeFileSync(join(folder, "Pulumi.yaml"), projectFileFor("tests"));
        writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
        writeFileSync(join(folder, file), program);
    };
}

/** Installs the package for projects in this folder and below it, for programs and for npx. */
export function installPackage(folder: string): void {
    const { bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { bin: Record<string, string> };
    const modules = join(folder, "node_modules");
    mkdirSync(join(modules, ".bin"), { recursive: true });
    symlinkSync(root, join(modules, "pulumi-clouddb"));
    symlinkSync(join(root, "node_modules", "@pulumi"), join(modules, "@pulumi"));
    for (const [name, file] of Object.entries(bin)) {
        symlinkSync(join(root, file), join(modules, ".bin", name));
    }
}

/** Creates the project and its stack. */
export async function startProject(fill: (folder: string) => void, options: EmulatorOptions = {}) {
    const project = await openProject(fill, options);
    await project.pulumi("stack", "init", "test", "--secrets-provider", secretsProvider);
    // Most tests delete their services.
    await project.pulumi("config", "set", "clouddb:deletionProtection", "false");
    return project;
}

/** Creates the project without a stack. */
export async function openProject(fill: (folder: string) => void, options: EmulatorOptions = {}) {
    const emulator = await startFastEmulator(options);
    const own = workDir();
    const folder = join(own, "project");
    mkdirSync(folder);
    mkdirSync(join(own, "state"));
    installPackage(own);
    fill(folder);
    return projectIn(folder, emulator, {
        ...process.env,
        ...(await environmentOf(own, emulator)),
        // The type check of the repository includes this program.
        PULUMI_NODEJS_TRANSPILE_ONLY: "true",
        // A missing package must be an error, and not be downloaded from a registry.
        npm_config_offline: "true",
    });
}

/** The environment variables with the registry and the installed packages that several test files share. */
export const shared = { registry: "CLOUDDB_TEST_REGISTRY", packages: "CLOUDDB_TEST_PACKAGES" } as const;

/**
 * Shell lines that copy the shared packages into the current folder, if there are any. An installation in this folder
 * then adds and removes only what is different.
 */
export function copyPackages(): string {
    const packages = process.env[shared.packages];
    return packages === undefined
        ? "true"
        : // npm replaces the linked files of packages, but writes into its list of packages.
          `cp -al ${packages} . && cp -a --remove-destination ${packages}/.package-lock.json node_modules`;
}

/** The lines with a copy of the shared packages in the new npm project. */
export const withPackages = (lines: string): string => lines.replace(/^npm init -y$/m, `$&\n${copyPackages()}`);

export type Outside = Awaited<ReturnType<typeof startOutside>>;

/**
 * A folder for projects outside of the repository, and the environment of a user who has only Pulumi and Node.js, and whose
 * npm installs from a registry of the tests. All files of the user are in the folder, also the packed package, from which the
 * documented commands install.
 */
export async function startOutside(above: string) {
    const { file } = pack(above);
    const user: NodeJS.ProcessEnv = {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PULUMI_HOME: join(above, "home"),
        PULUMI_SKIP_UPDATE_CHECK: "true",
        NO_PROXY: "127.0.0.1,localhost",
        npm_config_registry: process.env[shared.registry] ?? (await startRegistry(file)),
        npm_config_cache: join(above, "npm"),
        npm_config_audit: "false",
        npm_config_update_notifier: "false",
    };
    return { above, user };
}

/** Creates a project outside of the repository, without packages and without a stack. */
export async function openOutside(
    { above, user }: Outside,
    name: string,
    fill: (folder: string) => void,
    options: EmulatorOptions = {},
) {
    const emulator = await startFastEmulator(options);
    const folder = join(above, name);
    const state = join(above, `${name}-state`);
    mkdirSync(folder);
    mkdirSync(state);
    fill(folder);
    return projectIn(folder, emulator, {
        ...user,
        NODE_OPTIONS: quickNode,
        PULUMI_BACKEND_URL: backendIn(state),
        PULUMI_CONFIG_PASSPHRASE: "a passphrase of the tests",
        CLOUDDB_BASE_URL: emulator.url,
        CLOUDDB_PROJECT_ID: emulator.projectId,
        CLOUDDB_ACCESS_TOKEN: emulator.token,
    });
}

/** A Pulumi project in its own folder, with an emulator. */
function projectIn(folder: string, emulator: Emulator, initial: NodeJS.ProcessEnv) {
    let env = initial;
    const tryPulumi = (args: readonly string[]) => run("pulumi", [...args, "--non-interactive"], folder, env);
    /** Runs a Pulumi command. Throws an error if it fails. */
    const pulumi = async (...args: string[]) => {
        const result = await tryPulumi(args);
        if (result.code !== 0) {
            throw new Error(`pulumi ${args.join(" ")} ended with ${result.code}:\n${result.stdout}${result.stderr}`);
        }
        return result;
    };
    return {
        emulator,
        folder,
        /** Environment variables that override the defaults of the next commands. */
        env: (changes: Record<string, string>) => {
            env = { ...env, ...changes };
        },
        /** Writes another program in JavaScript. */
        write: (program: string) => writeFileSync(join(folder, "index.js"), program),
        environment: () => env,
        /** Starts a Pulumi command, which can be killed. */
        start: (...args: string[]) => start([...args, "--non-interactive"], folder, env),
        pulumi,
        /** Runs a Pulumi command that must fail. */
        failing: async (...args: string[]) => {
            const result = await tryPulumi(args);
            if (result.code === 0) {
                throw new Error(`pulumi ${args.join(" ")} should have failed:\n${result.stdout}`);
            }
            return result;
        },
        outputs: async () =>
            JSON.parse((await pulumi("stack", "output", "--json", "--show-secrets")).stdout) as Record<string, unknown>,
        /** Runs shell lines that confirm all prompts of Pulumi, and returns their output. */
        shell: (lines: string, input?: string) =>
            runShell(lines, folder, { ...env, PULUMI_SKIP_CONFIRMATIONS: "true" }, input),
    };
}

/** Runs shell lines until one fails, which is an error. Background jobs end with them. */
export async function runShell(lines: string, cwd: string, env: NodeJS.ProcessEnv, input = ""): Promise<string> {
    // Each background job has its own process group, because a signal to npx does not reach its child process.
    const endJobs = "trap 'for job in $(jobs -p); do kill -- -$job; done' EXIT";
    const script = ["set -em", "set -o pipefail", endJobs, lines].join("\n");
    const { code, stdout, stderr } = await run("bash", ["-c", script], cwd, env, input);
    if (code !== 0) {
        throw new Error(`These lines ended with ${code}:\n${lines}\n${stdout}${stderr}`);
    }
    return stdout;
}

/** Starts a Pulumi command, in a process group of its own. If it is killed, it ends without a code. */
function start(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
    const child = spawn("pulumi", args, { cwd, env, detached: true });
    const { pid: id = NaN } = child;
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (text: Buffer) => (output += text.toString()));
    }
    const ended = new Promise<{ readonly code: number | undefined; readonly output: string }>((resolve, reject) => {
        const limit = setTimeout(() => {
            kill([{ id: -id }]);
            reject(new Error(`pulumi ${args.join(" ")} did not end:\n${output}`));
        }, commandLimitMs);
        child.on("error", reject);
        // Not "close", because child processes of a killed engine keep its pipes open.
        child.on("exit", (code) => {
            clearTimeout(limit);
            resolve({ code: code ?? undefined, output });
        });
    });
    return { id, output: () => output, ended };
}

function run(
    command: string,
    args: readonly string[],
    cwd: string,
    env: NodeJS.ProcessEnv,
    input = "",
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
    return new Promise((resolve, reject) => {
        const options = { cwd, env, timeout: commandLimitMs, maxBuffer: Infinity };
        const child = execFile(command, args, options, (error, stdout, stderr) => {
            if (error && typeof error.code !== "number") {
                const words = [command, ...args].join(" ");
                reject(new Error(`${words} did not end by itself:\n${stdout}${stderr}`, { cause: error }));
            } else {
                resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
            }
        });
        // A command that reads no input may have ended already.
        child.stdin?.on("error", () => undefined).end(input);
    });
}
