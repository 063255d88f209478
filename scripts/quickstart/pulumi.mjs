/** Pulumi, kept away from the user's own account, home and settings. */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { isRunning } from "../../engine/lock.mjs";
import { runInForeground } from "../lib/children.mjs";
import { ScriptError } from "../lib/repository.mjs";
import { PROJECT_ID } from "./emulator.mjs";
import { readJson, STACK } from "./folder.mjs";

/** @typedef {import("./folder.mjs").Folder} Folder */

/** A base URL at which nothing answers; the provider wants one even where it sends nothing. */
const NOWHERE = "http://127.0.0.1:9/v1";
const LOOPBACK = "127.0.0.1,localhost";

/**
 * The environment of all that Pulumi runs. Whatever is set for the user's own stacks and project is not in it.
 *
 * @param {Folder} folder
 * @param {object} options
 * @param {string} options.path - with the engine
 * @param {import("./folder.mjs").Secrets} options.secrets
 * @param {import("./emulator.mjs").Emulator} [options.emulator] - none for what must work without
 * @param {NodeJS.ProcessEnv} [options.env]
 * @returns {NodeJS.ProcessEnv}
 */
export function pulumiEnvironment(folder, { path, secrets, emulator, env = process.env }) {
    const kept = Object.entries(env).filter(([name]) => !/^(PULUMI|CLOUDDB)_/i.test(name));
    const noProxy = [env.no_proxy ?? env.NO_PROXY, LOOPBACK].filter(Boolean).join(",");
    return {
        ...Object.fromEntries(kept),
        PATH: path,
        PULUMI_HOME: folder.home,
        PULUMI_BACKEND_URL: pathToFileURL(folder.state).href,
        PULUMI_CONFIG_PASSPHRASE: secrets.passphrase,
        PULUMI_STACK: STACK,
        PULUMI_SKIP_UPDATE_CHECK: "true",
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
        CLOUDDB_PROJECT_ID: PROJECT_ID,
        CLOUDDB_BASE_URL: emulator?.url ?? NOWHERE,
        ...(emulator && { CLOUDDB_ACCESS_TOKEN: secrets.token }),
        NO_PROXY: noProxy,
        no_proxy: noProxy,
    };
}

/**
 * Makes the stack if it is missing, and takes away the lock of a Pulumi that was killed.
 *
 * @param {Folder} folder
 * @param {{ root: string, env: NodeJS.ProcessEnv }} options
 */
export async function ensureStack(folder, { root, env }) {
    removeDeadLocks(folder);
    if (existsSync(folder.stack)) return;
    const args = ["stack", "init", STACK, "--secrets-provider", "passphrase", "--no-select", "--non-interactive"];
    try {
        await promisify(execFile)("pulumi", args, { cwd: root, env });
    } catch (error) {
        const { stderr } = /** @type {{ stderr?: string }} */ (error);
        throw new ScriptError(`The stack could not be made: ${stderr?.trim() || error}`);
    }
}

/**
 * Runs a command that changes or shows the stack; the terminal is its own.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ root: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>} exit code
 */
export function runPulumi(command, args, { root, env }) {
    const isPerson = process.stdin.isTTY === true && process.stdout.isTTY === true;
    return runInForeground("pulumi", [command, ...args, ...(isPerson ? [] : ["--non-interactive"])], {
        cwd: root,
        env,
    });
}

/**
 * A Pulumi that was killed cannot give its lock back, and the next one would ask for `pulumi cancel`.
 *
 * @param {Folder} folder
 */
function removeDeadLocks(folder) {
    if (!existsSync(folder.stackLocks)) return;
    for (const name of readdirSync(folder.stackLocks)) {
        const file = join(folder.stackLocks, name);
        const { pid, hostname: host } = readJson(file) ?? {};
        if (typeof pid !== "number" || host !== hostname() || isRunning(pid)) continue;
        for (const path of [file, `${file}.attrs`]) rmSync(path, { force: true });
    }
}
