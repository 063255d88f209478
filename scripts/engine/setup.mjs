#!/usr/bin/env node
/**
 * Finds a Pulumi engine on PATH or in the cache. Otherwise downloads a release, or builds it from Go
 * modules. The same for the language hosts of Python, Go, YAML and Java, and for the code generator, on demand. For the
 * quickstart and the tests of this repository; the package does not contain them. Needs `npm ci`.
 *
 *     node scripts/engine/setup.mjs [python | go | yaml | java | codegen]    prints the folder; progress goes to stderr
 *
 * CLOUDDB_PULUMI=VERSION selects another version of the engine.
 */
import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import semver from "semver";
import { cached, ensureFolder } from "../lib/cache.mjs";
import { readJson } from "../lib/files.mjs";
import { main, report as reportStep, ScriptError } from "../lib/repository.mjs";
import { build, install } from "./get.mjs";
import { wanted } from "./modules.mjs";
import { foldersOnPath, folderWith } from "./programs.mjs";

/** The oldest supported version of Pulumi: of its SDK, and of `pulumi` on PATH. */
const minimum = semver.minVersion(readJson("package.json").peerDependencies["@pulumi/pulumi"]).version;
const hostOf = (language) => `pulumi-language-${language}`;
const about = {
    install: "with Pulumi's download",
    build: "from Go modules, some minutes, only once",
};
const report = (step, text) => reportStep(step, text, "engine");

/**
 * Concurrent calls in several processes wait for the first one.
 *
 * @typedef {{ bin: string, version: string, isOnPath: boolean }} Found
 * @returns {Promise<Found>}
 */
export async function ensureEngine() {
    const { CLOUDDB_PULUMI: selected } = process.env;
    const onPath = await engineOnPath(selected);
    return onPath.reason ? ensureInCache("engine", onPath.reason, selected) : onPath;
}

/**
 * The same for a language host. With `codegen`, the programs of the folder generate code, see
 * `cli/pulumi-clouddb-languages`.
 *
 * @param {"python" | "go" | "yaml" | "java" | "codegen"} purpose
 */
export async function ensureTool(purpose) {
    const host = hostOf(purpose);
    const bin = folderWith(host);
    if (bin) {
        return { bin };
    }
    return ensureInCache(["python", "go"].includes(purpose) ? "engine" : purpose, `nothing for ${purpose} on PATH`);
}

/** The PATH of a process that uses the engine. An engine on PATH does not move: its folder may contain another `node`. */
export function pathWithEngine({ isOnPath, bin }) {
    const { PATH } = process.env;
    return isOnPath ? PATH : `${bin}${delimiter}${PATH}`;
}

async function engineOnPath(selected) {
    const bin = folderWith("pulumi");
    if (!bin) {
        return { reason: "no `pulumi` on PATH" };
    }
    const command = join(bin, "pulumi");
    // Without a language host, it can be the npm package `pulumi`, which would start a download.
    const host = hostOf("nodejs");
    if (!folderWith(host, [...foldersOnPath(), dirname(realpathSync(command))])) {
        return { reason: `${command} has no ${host}` };
    }
    const options = { timeout: 30_000, env: { PULUMI_SKIP_UPDATE_CHECK: "true" }, reject: false };
    const version = semver.coerce((await execa(command, ["version"], options)).stdout)?.version;
    if (!semver.satisfies(version, selected ?? `>=${minimum}`)) {
        const found = version ?? "of an unknown version";
        return { reason: `${command} is ${found}, not ${selected ?? `${minimum} or newer`}` };
    }
    return { bin, version, isOnPath: true };
}

async function ensureInCache(purpose, reason, selected) {
    const target = wanted(purpose, selected);
    const { key, version } = target;
    const isEngine = purpose === "engine";
    const what = `${isEngine ? "Pulumi" : `program for ${purpose},`} ${version}`;
    const folder = cached("engine", key);
    const found = { bin: join(folder, "bin"), version, isOnPath: false };
    if (existsSync(folder)) {
        return found;
    }
    const attempts = [];
    const failed = (step, text) => {
        attempts.push(`    ${step.padEnd(8)}  ${text}`);
        report(step, text);
    };
    failed("path", reason);
    failed("cache", `nothing in ${folder}`);
    for (const [step, get] of Object.entries(isEngine ? { install, build } : { build })) {
        try {
            await ensureFolder(folder, async (stage) => {
                report(step, `${what} ${about[step]}`);
                await get(target, stage);
                report("ready", `${what} in ${folder}`);
            });
            return found;
        } catch ({ message }) {
            failed(step, message);
        }
    }
    throw new ScriptError(
        [
            `${what} was not found, and could not be installed.`,
            ...attempts,
            "  Choose one of these ways:",
            `    1. install Pulumi ${minimum} or newer (https://www.pulumi.com/docs/install/) and add it to PATH`,
            "    2. allow this machine to reach get.pulumi.com and github.com",
            "    3. install Go (https://go.dev/dl/), to build it from the Go module proxy",
            "  If the cache is not writable, set XDG_CACHE_HOME to another folder.",
        ].join("\n"),
    );
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
    await main(async () => {
        const [, , purpose] = process.argv;
        const { bin } = await (purpose ? ensureTool(purpose) : ensureEngine());
        process.stdout.write(`${bin}\n`);
    });
}
