/** Looks for what is there already; changes nothing. */
import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findVersion, isAtLeast, MINIMUM_ON_PATH } from "./modules.mjs";
import { run } from "./run.mjs";

const VERSION_LIMIT_MS = 30_000;
const LANGUAGE_HOST = "pulumi-language-nodejs";

/** The plugin that runs dynamic resources: a script that comes with @pulumi/pulumi. */
export const DYNAMIC_PLUGIN = "pulumi-resource-pulumi-nodejs";

/** @typedef {{ command: string, version: string } | { refused: string }} OnPath */

/**
 * The `pulumi` that the user's shell would start, if it will do.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {AbortSignal} signal
 * @returns {Promise<OnPath>}
 */
export async function engineOnPath(env, signal) {
    const command = findOnPath("pulumi", env);
    if (!command) return { refused: "no `pulumi` on PATH" };
    // Asked first because it costs nothing: a `pulumi` without hosts may be the launcher, which would begin to download.
    const beside = [dirname(command), dirname(realpathSync(command))];
    if (!findOnPath(LANGUAGE_HOST, env) && !beside.some((folder) => findIn(folder, LANGUAGE_HOST))) {
        return { refused: `${command} has no ${LANGUAGE_HOST} beside it or on PATH` };
    }
    const { version, failure } = await askVersion(command, env, signal);
    if (!version) return { refused: `${command} does not tell its version: ${failure}` };
    if (!isAtLeast(version, MINIMUM_ON_PATH)) {
        return { refused: `${command} is ${version}, older than ${MINIMUM_ON_PATH}` };
    }
    return { command, version };
}

/**
 * @param {string} command - a `pulumi`
 * @param {NodeJS.ProcessEnv} env
 * @param {AbortSignal} signal
 * @returns {Promise<{ version?: string, failure: string }>}
 */
export async function askVersion(command, env, signal) {
    const { stdout, lines, failure } = await run(command, ["version"], {
        env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
        limitMs: VERSION_LIMIT_MS,
        signal,
    });
    const version = failure ? undefined : findVersion(stdout);
    return { ...(version && { version }), failure: failure ?? lines.at(-1) ?? "no output" };
}

/**
 * @param {string} name - without the suffix of the system
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined}
 */
export function findOnPath(name, env) {
    for (const folder of (env.PATH ?? env.Path ?? "").split(delimiter)) {
        const found = folder && findIn(folder, name);
        if (found) return found;
    }
    return undefined;
}

/**
 * @param {string} folder
 * @param {string} name - without the suffix of the system
 * @returns {string | undefined} the program, if it can be started
 */
export function findIn(folder, name) {
    const suffixes = process.platform === "win32" ? [".exe", ".cmd"] : [""];
    return suffixes.map((suffix) => resolve(folder, name + suffix)).find(isProgram);
}

/**
 * @param {string} bin
 * @returns {string | undefined} the `pulumi` in it, when all that belongs to an engine is there
 */
export function completeEngine(bin) {
    const programs = ["pulumi", LANGUAGE_HOST, DYNAMIC_PLUGIN].map((name) => findIn(bin, name));
    return programs.every(Boolean) ? programs[0] : undefined;
}

/** @returns {string | undefined} the dynamic plugin of the installed @pulumi/pulumi */
export function installedDynamicPlugin() {
    let folder = dirname(fileURLToPath(import.meta.url));
    for (;;) {
        const packageFolder = join(folder, "node_modules", "@pulumi", "pulumi");
        if (existsSync(packageFolder)) return findIn(packageFolder, DYNAMIC_PLUGIN);
        const parent = dirname(folder);
        if (parent === folder) return undefined;
        folder = parent;
    }
}

/** @param {string} file */
function isProgram(file) {
    try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
    } catch {
        return false;
    }
}
