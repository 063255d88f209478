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
import { accessSync, constants, copyFileSync, linkSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import semver from "semver";
import { readJson, replaceFolder } from "../lib/files.mjs";
import { main, report as reportStep, ScriptError } from "../lib/repository.mjs";
import { build, install } from "./get.mjs";
import { withLock } from "./lock.mjs";
import { wanted } from "./modules.mjs";

const { peerDependencies } = readJson("package.json");
/** The oldest supported version of Pulumi: of its SDK, and of `pulumi` on PATH. */
const minimum = semver.minVersion(peerDependencies["@pulumi/pulumi"]).version;
const languageHost = "pulumi-language-nodejs";
/** Runs dynamic resources; a script of @pulumi/pulumi, which a build does not produce. */
const dynamicPlugin = "pulumi-resource-pulumi-nodejs";
const heartbeatMs = 15_000;
const installStep = { step: "install", get: install, about: "Pulumi's download" };
const buildStep = {
    step: "build",
    get: build,
    about: "a build from Go modules, about 4 minutes on two cores, only once",
};
/** The language hosts for which the code generator generates programs and packages. */
const generatedLanguages = ["nodejs", "python", "go", "yaml"];
const foldersOf = (path = "") => path.split(delimiter).filter(Boolean);
const report = (step, text) => reportStep(step, text, "engine");

/**
 * Concurrent calls in several processes wait for the first one.
 *
 * @typedef {{ bin: string, version: string, source: "path" | "cache" | "install" | "build" }} Found
 * @returns {Promise<Found>}
 */
export async function ensureEngine() {
    const { CLOUDDB_PULUMI: selected } = process.env;
    const onPath = await engineOnPath(selected);
    if (!onPath.reason) {
        return onPath;
    }
    const engine = wanted("engine", selected);
    return ensureInCache(engine, {
        what: "Pulumi",
        reason: onPath.reason,
        names: ["pulumi", languageHost, dynamicPlugin],
        ways: [installStep, buildStep],
        complete: async (bin) => {
            const sdk = dirname(createRequire(import.meta.url).resolve("@pulumi/pulumi/package.json"));
            copyFileSync(join(sdk, dynamicPlugin), join(bin, dynamicPlugin));
            const version = await versionOf(join(bin, "pulumi"), { PULUMI_HOME: join(bin, "..", "tmp") });
            if (version !== engine.version) {
                throw new Error(`the installed version is ${version}, not ${engine.version}`);
            }
        },
    });
}

/**
 * The same for a language host. With `codegen`, the programs of the folder generate code, see `cli/languages`.
 *
 * @param {"python" | "go" | "yaml" | "java" | "codegen"} purpose
 * @param {string} path - the PATH, with the engine
 * @returns {Promise<Found>}
 */
export async function ensureTool(purpose, path = process.env.PATH) {
    const tool = wanted(purpose);
    const names = tool.programs.flatMap(({ name, files }) => [name, ...files.map((file) => basename(file))]);
    const bin = foldersOf(path).find((folder) => names.every((name) => isProgram(join(folder, name))));
    if (bin) {
        return { bin, version: tool.version, source: "path" };
    }
    return ensureInCache(tool, {
        what: names[0],
        reason: `no \`${names.join("` and `")}\` in a folder on PATH`,
        names,
        ways: [buildStep],
        complete: (folder) => {
            for (const language of purpose === "codegen" ? generatedLanguages : []) {
                linkSync(join(folder, names[0]), join(folder, `pulumi-language-${language}`));
            }
        },
    });
}

/** The PATH of a process that uses the engine. An engine on PATH does not move: its folder may contain another `node`. */
export function pathWithEngine({ source, bin }, path = process.env.PATH ?? "") {
    return source === "path" ? path : `${bin}${delimiter}${path}`;
}

async function engineOnPath(selected) {
    const folders = foldersOf(process.env.PATH);
    const bin = folders.find((folder) => isProgram(join(folder, "pulumi")));
    if (!bin) {
        return { reason: "no `pulumi` on PATH" };
    }
    const command = join(bin, "pulumi");
    // Without a language host, it can be the npm package `pulumi`, which would start a download.
    const hosts = [...folders, dirname(realpathSync(command))];
    if (!hosts.some((folder) => isProgram(join(folder, languageHost)))) {
        return { reason: `${command} has no ${languageHost}` };
    }
    const version = await versionOf(command).catch(() => undefined);
    if (!version) {
        return { reason: `${command} does not print its version` };
    }
    if (selected && version !== selected) {
        return { reason: `${command} is ${version}, not ${selected}` };
    }
    return selected || semver.gte(version, minimum)
        ? { bin, version, source: "path" }
        : { reason: `${command} is ${version}, older than ${minimum}` };
}

async function ensureInCache(target, { what, reason, names, ways, complete }) {
    const { key, version } = target;
    const root = join(cacheRoot(), "engine");
    const bin = join(root, key, "bin");
    const cached = () => names.every((name) => isProgram(join(bin, name))) && { bin, version, source: "cache" };
    if (cached()) {
        return cached();
    }
    const attempts = [];
    const failed = (step, text) => {
        attempts.push(`    ${step.padEnd(8)}  ${text}`);
        report(step, text);
    };
    failed("path", reason);
    failed("cache", `nothing in ${dirname(bin)}`);
    try {
        mkdirSync(root, { recursive: true });
    } catch ({ message }) {
        throw new ScriptError(
            `The engine needs a cache folder: ${message}\n  Set XDG_CACHE_HOME to a writable folder.`,
        );
    }
    const found = await withLock(join(root, `${key}.lock`), `installs ${what}`, async () => {
        if (cached()) {
            return cached();
        }
        for (const { step, get, about } of ways) {
            report(step, `${what} ${version} from ${about}`);
            try {
                await getInto(join(root, key), target, { what, step, get, complete });
                return { bin, version, source: step };
            } catch ({ message }) {
                failed(step, message);
            }
        }
        return undefined;
    });
    if (found) {
        return found;
    }
    throw new ScriptError(
        [
            `No ${what === "Pulumi" ? "Pulumi engine" : what} was found, and none could be installed.`,
            ...attempts,
            "  Choose one of these ways:",
            `    1. install Pulumi ${minimum} or newer (https://www.pulumi.com/docs/install/) and add it to PATH`,
            "    2. allow this machine to reach get.pulumi.com and github.com",
            `    3. install Go ${target.goVersion} or newer (https://go.dev/dl/), to build it from the Go module proxy`,
        ].join("\n"),
    );
}

/** Prints a line from time to time, because it can take minutes. */
async function getInto(folder, target, { what, step, get, complete }) {
    const began = Date.now();
    const elapsed = () => `${Math.round((Date.now() - began) / 1000)} s`;
    const heartbeat = setInterval(() => report(step, `${elapsed()} so far`), heartbeatMs);
    try {
        await replaceFolder(folder, async (stage) => {
            ["bin", "tmp"].forEach((name) => mkdirSync(join(stage, name)));
            await get(target, stage);
            await complete(join(stage, "bin"));
        });
        report("ready", `${what} ${target.version} in ${folder}, after ${elapsed()}`);
    } finally {
        clearInterval(heartbeat);
    }
}

async function versionOf(command, env) {
    const options = { timeout: 30_000, env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" } };
    return semver.coerce((await execa(command, ["version"], options)).stdout)?.version;
}

/** The folder for downloads and builds of this repository. The XDG specification requires that a relative path is ignored. */
export function cacheRoot() {
    const { XDG_CACHE_HOME: xdg, HOME: home } = process.env;
    const caches = xdg && isAbsolute(xdg) ? xdg : join(home || homedir(), ".cache");
    return join(caches, "pulumi-clouddb");
}

function isProgram(file) {
    try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
    } catch {
        return false;
    }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
    await main(async () => {
        const [purpose] = process.argv.slice(2);
        const { bin } = await (purpose ? ensureTool(purpose) : ensureEngine());
        process.stdout.write(`${bin}\n`);
    });
}
