#!/usr/bin/env node
/**
 * Finds a Pulumi engine on PATH or in the cache. Otherwise installs one with Pulumi's installer, or builds it from Go
 * modules. For the quickstart and the tests of this repository; the package does not contain it. Needs `npm ci`.
 *
 *     node engine/setup.mjs    prints the folder of the engine; progress goes to stderr
 */
import {
    accessSync,
    constants,
    copyFileSync,
    mkdirSync,
    readdirSync,
    realpathSync,
    renameSync,
    rmSync,
    statSync,
} from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import semver from "semver";
import { build, install } from "./get.mjs";
import { withLock } from "./lock.mjs";
import { wantedEngine } from "./modules.mjs";

/** The oldest version of `pulumi` on PATH to use. Older versions do not pass the configuration to dynamic providers. */
const MINIMUM = "3.150.0";
const LANGUAGE_HOST = "pulumi-language-nodejs";
/** Runs dynamic resources; a script of @pulumi/pulumi. */
const DYNAMIC_PLUGIN = "pulumi-resource-pulumi-nodejs";
const PROGRAMS = ["pulumi", LANGUAGE_HOST, DYNAMIC_PLUGIN];
const HEARTBEAT_MS = 15_000;
const WAYS = [
    { step: "install", get: install, about: "Pulumi's installer" },
    { step: "build", get: build, about: "a build from Go modules, about 4 minutes on two cores, only once" },
];

/** No engine was found. The message lists the attempts and the remedies. */
export class EngineError extends Error {
    name = "EngineError";
}

/**
 * Concurrent calls in several processes wait for the first one.
 *
 * @returns {Promise<{ bin: string, version: string, source: "path" | "cache" | "install" | "build" }>}
 */
export async function ensureEngine() {
    const onPath = await engineOnPath();
    if (!onPath.reason) return onPath;
    const wanted = wantedEngine();
    const root = cacheRoot();
    const bin = join(root, wanted.key, "bin");
    const cached = () =>
        PROGRAMS.every((name) => isProgram(join(bin, name))) && { bin, version: wanted.version, source: "cache" };
    if (cached()) return cached();
    const attempts = [
        { step: "path", reason: onPath.reason },
        { step: "cache", reason: `nothing in ${dirname(bin)}` },
    ];
    for (const { step, reason } of attempts) report(step, reason);
    try {
        mkdirSync(root, { recursive: true });
    } catch ({ message }) {
        throw new EngineError(
            `The engine needs a cache folder: ${message}\n  Set XDG_CACHE_HOME to a writable folder.`,
        );
    }
    const lock = join(root, `${wanted.key}.lock`);
    const onWait = (holder) => report("wait", `for ${holder}, which installs the engine`);
    return withLock(lock, onWait, async () => cached() || { bin, ...(await getEngine(wanted, root, attempts)) });
}

/** The PATH of a process that uses the engine. An engine on PATH does not move: its folder may contain another `node`. */
export function pathWithEngine({ source, bin }, path = process.env.PATH ?? "") {
    return source === "path" ? path : `${bin}${delimiter}${path}`;
}

async function engineOnPath() {
    const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
    const bin = folders.find((folder) => isProgram(join(folder, "pulumi")));
    if (!bin) return { reason: "no `pulumi` on PATH" };
    const command = join(bin, "pulumi");
    // Without a language host, it can be the npm package `pulumi`, which would start a download.
    const hosts = [...folders, dirname(realpathSync(command))];
    if (!hosts.some((folder) => isProgram(join(folder, LANGUAGE_HOST))))
        return { reason: `${command} has no ${LANGUAGE_HOST}` };
    const version = await versionOf(command).catch(() => undefined);
    if (!version) return { reason: `${command} does not print its version` };
    return semver.gte(version, MINIMUM)
        ? { bin, version, source: "path" }
        : { reason: `${command} is ${version}, older than ${MINIMUM}` };
}

/** Installs the engine in a temporary folder first, so that the cache folder is either complete or absent. */
async function getEngine(wanted, root, attempts) {
    const prefix = `${wanted.key}.tmp-`;
    // Remove the temporary folders of earlier runs. This is safe while holding the lock.
    for (const name of readdirSync(root)) if (name.startsWith(prefix)) remove(join(root, name));
    const [stage, folder] = [join(root, `${prefix}${process.pid}`), join(root, wanted.key)];
    for (const { step, get, about } of WAYS) {
        report(step, `Pulumi ${wanted.version} from ${about}`);
        const began = Date.now();
        const elapsed = () => `${Math.round((Date.now() - began) / 1000)} s`;
        const heartbeat = setInterval(() => report(step, `${elapsed()} so far`), HEARTBEAT_MS);
        try {
            for (const name of ["bin", "tmp"]) mkdirSync(join(stage, name), { recursive: true });
            addDynamicPlugin(join(stage, "bin"));
            await get(wanted, stage);
            const version = await versionOf(join(stage, "bin", "pulumi"), { PULUMI_HOME: join(stage, "tmp") });
            if (version !== wanted.version)
                throw new Error(`the installed version is ${version}, not ${wanted.version}`);
            remove(folder);
            renameSync(stage, folder);
            report("ready", `Pulumi ${version} in ${folder}, after ${elapsed()}`);
            return { version, source: step };
        } catch ({ message }) {
            attempts.push({ step, reason: message });
            report(step, message);
        } finally {
            clearInterval(heartbeat);
            remove(stage);
        }
    }
    throw new EngineError(
        [
            "No Pulumi engine was found, and none could be installed.",
            ...attempts.map(({ step, reason }) => `    ${step.padEnd(8)}  ${reason}`),
            "  Choose one of these ways:",
            `    1. install Pulumi ${MINIMUM} or newer (https://www.pulumi.com/docs/install/) and add it to PATH`,
            "    2. install curl, and allow this machine to reach get.pulumi.com and github.com",
            `    3. install Go ${wanted.goVersion} or newer (https://go.dev/dl/), to build the engine from the Go module proxy`,
        ].join("\n"),
    );
}

/** The plugin is a script, which a build does not produce. */
function addDynamicPlugin(bin) {
    const require = createRequire(import.meta.url);
    const sdk = dirname(require.resolve("@pulumi/pulumi/package.json"));
    copyFileSync(join(sdk, DYNAMIC_PLUGIN), join(bin, DYNAMIC_PLUGIN));
}

async function versionOf(command, env) {
    const { stdout } = await execa(command, ["version"], {
        timeout: 30_000,
        env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    });
    return semver.coerce(stdout)?.version;
}

/** The XDG specification requires that a relative path is ignored. */
function cacheRoot() {
    const { XDG_CACHE_HOME: xdg, HOME: home } = process.env;
    const caches = xdg && isAbsolute(xdg) ? xdg : join(home || homedir(), ".cache");
    return join(caches, "pulumi-clouddb", "engine");
}

function isProgram(file) {
    try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
    } catch {
        return false;
    }
}

const remove = (folder) => rmSync(folder, { recursive: true, force: true });

function report(step, text) {
    process.stderr.write(`engine  ${step.padEnd(8)}  ${text}\n`);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
    try {
        const { bin } = await ensureEngine();
        process.stdout.write(`${bin}\n`);
    } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        process.stderr.write(`error: ${error.message}\n`);
        process.exitCode = 1;
    }
}
