import { spawn } from "node:child_process";
import {
    closeSync,
    existsSync,
    mkdirSync,
    openSync,
    readdirSync,
    readFileSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Emulator, EmulatorOptions } from "../../emulator";
import { root } from "../support/documents";
import { startFastEmulator } from "../support/engine";
import { newFolder } from "../support/folder";
import { onlyIf } from "../support/skipped";

const { CLOUDDB_WINDOWS: prefix = "", CLOUDDB_WINDOWS_MISSING: missing = "" } = process.env;

/** `describe`, skipped on a computer that has no Windows. */
export const describeOnWindows = onlyIf(prefix !== "", missing, describe);

/** The folder of a path of Windows: `C:\shop`. */
export const linuxPath = (path: string): string =>
    path.startsWith("Z:")
        ? path.slice(2).replaceAll("\\", "/")
        : join(prefix, "drive_c", ...path.replace(/^C:\\/, "").split("\\"));

/** Writes a file, and makes its folder. */
export function writeFile(path: string, text: string): void {
    mkdirSync(dirname(linuxPath(path)), { recursive: true });
    writeFileSync(linuxPath(path), text);
}

/** The processes of Linux that run a program of Windows whose command contains this text. */
export function processesWith(text: string): number[] {
    const contains = (pid: string, file: string, part: string) => {
        try {
            return readFileSync(`/proc/${pid}/${file}`, "utf8").includes(part);
        } catch {
            return false;
        }
    };
    return readdirSync("/proc")
        .filter((pid) => /^\d+$/.test(pid) && contains(pid, "cmdline", text) && contains(pid, "environ", prefix))
        .map(Number);
}

/** Waits until this holds. */
export async function until(holds: () => boolean, limitMs = 60_000): Promise<void> {
    for (let waitedMs = 0; !holds() && waitedMs < limitMs; waitedMs += 100) {
        await sleep(100);
    }
    expect(holds()).toBe(true);
}

/** This repository on Windows. */
export const repository = `Z:${root.replaceAll("/", "\\")}`;

/** The result of a program. Windows has no exit code for a killed one. */
export interface Result {
    readonly code: number | null;
    readonly stdout: string;
    readonly stderr: string;
}

/** Longer than any program takes on a busy computer. */
const limitMs = 8 * 60_000;

const environment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
    const ofTests = /^(npm_|NODE_(?!SKIP_)|NODE$|JEST_|CLOUDDB_|PULUMI_)/i;
    const own = Object.entries(process.env).filter(([name]) => !ofTests.test(name));
    return { ...Object.fromEntries(own), ...env };
};

/** Starts a program of Windows. Its output goes to files, because Node.js cannot write to a pipe of Wine. */
export function start(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
    const folder = newFolder();
    const [out, err] = [join(folder, "stdout"), join(folder, "stderr")];
    const files = [out, err].map((file) => openSync(file, "w"));
    const options = { cwd: linuxPath(cwd), env: environment(env), detached: true } as const;
    const child = spawn("wine", [program, ...args], { ...options, stdio: ["ignore", ...files] });
    files.forEach(closeSync);
    const textOf = (file: string) => readFileSync(file, "utf8").replaceAll("\r\n", "\n");
    const limit = setTimeout(() => child.kill("SIGKILL"), limitMs);
    const ended = new Promise<Result>((resolve, reject) => {
        child.once("error", reject);
        child.once("exit", (code) => {
            clearTimeout(limit);
            resolve({ code, stdout: textOf(out), stderr: textOf(err) });
        });
    });
    return { ended, stdout: () => textOf(out), stderr: () => textOf(err) };
}

/** Runs a program of Windows to its end. */
export const run = (program: string, args: readonly string[], cwd: string, env?: NodeJS.ProcessEnv): Promise<Result> =>
    start(program, args, cwd, env).ended;

/** Runs a line of cmd.exe, which can redirect standard input. */
export function runLine(line: string, cwd: string, env?: NodeJS.ProcessEnv): Promise<Result> {
    const file = `${cwd}\\line.cmd`;
    writeFileSync(linuxPath(file), `@echo off\r\nchcp 65001 >nul\r\n${line}\r\n`);
    return run("cmd.exe", ["/c", file], cwd, env);
}

/** The Windows build of Node.js. */
export const node = "C:\\tools\\node.exe";

/** Programs and providers start in a fifth of the time: see tests/support/lazy. */
const quickNode = {
    NODE_OPTIONS: `--require ${JSON.stringify(`${repository}\\tests\\support\\lazy\\preload.js`)}`,
    NODE_COMPILE_CACHE: "C:\\compiled",
};

export const access = ({ url, projectId, token }: Emulator): NodeJS.ProcessEnv => ({
    CLOUDDB_BASE_URL: url,
    CLOUDDB_PROJECT_ID: projectId,
    CLOUDDB_ACCESS_TOKEN: token,
});

export type Host = "dynamic" | "plugin";

/** The package that programs import for a host. */
export const packageOf = (host: Host): string => (host === "plugin" ? "pulumi-clouddb/native" : "pulumi-clouddb");

export const typeOf = (host: Host, type: string): string =>
    host === "plugin" ? `clouddb:index:${type}` : `pulumi-nodejs:dynamic/clouddb:${type}`;

/** A project in this folder of Windows, with the installed package, and a stack. The emulator runs on Linux. */
export async function startProject(
    folder: string,
    files: Readonly<Record<string, string>>,
    options: EmulatorOptions = {},
) {
    const emulator = await startFastEmulator(options);
    const path = linuxPath(folder);
    mkdirSync(path, { recursive: true });
    if (!existsSync(join(path, "node_modules"))) {
        // For Windows, it is a folder.
        symlinkSync(join(linuxPath("C:\\shop"), "node_modules"), join(path, "node_modules"));
    }
    const runtime = "runtime:\n  name: nodejs\n  options:\n    packagemanager: npm\n";
    const plugin = "plugins:\n  providers:\n    - name: clouddb\n      path: node_modules/pulumi-clouddb\n";
    const all = { "Pulumi.yaml": `name: windows\n${runtime}${plugin}`, "package.json": "{}", ...files };
    const write = (name: string, text: string) => writeFile(`${folder}\\${name}`, text);
    Object.entries(all).forEach(([name, text]) => write(name, text));
    let env: NodeJS.ProcessEnv = {
        PULUMI_HOME: `${folder}\\home`,
        PULUMI_BACKEND_URL: "file://.",
        PULUMI_CONFIG_PASSPHRASE: "windows",
        PULUMI_SKIP_UPDATE_CHECK: "true",
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
        PULUMI_NODEJS_TRANSPILE_ONLY: "true",
        NO_PROXY: "127.0.0.1,localhost",
        ...quickNode,
        ...access(emulator),
    };
    const begin = (...args: string[]) => start("C:\\tools\\pulumi.exe", [...args, "--non-interactive"], folder, env);
    const pulumi = async (...args: string[]): Promise<string> => {
        const { code, stdout, stderr } = await begin(...args).ended;
        if (code !== 0) {
            throw new Error(`pulumi ${args.join(" ")} ended with ${String(code)}:\n${stdout}${stderr}`);
        }
        return stdout;
    };
    await pulumi("stack", "init", "dev", "--secrets-provider", "passphrase");
    /** The operations since the last call that change something. */
    const calls = () => {
        const changes = emulator.changes();
        emulator.clearJournal();
        return changes.map(({ operationId }) => operationId);
    };
    return {
        emulator,
        write,
        calls,
        start: begin,
        pulumi,
        /** Runs a command that must fail, and returns its output. */
        failing: async (...args: string[]): Promise<string> => {
            const { code, stdout, stderr } = await begin(...args).ended;
            expect([code, stdout]).not.toEqual([0, expect.anything()]);
            return `${stdout}${stderr}`;
        },
        environment: () => env,
        env: (changes: NodeJS.ProcessEnv) => {
            env = { ...env, ...changes };
        },
    };
}

export type Project = Awaited<ReturnType<typeof startProject>>;
