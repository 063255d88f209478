/** node_modules: whether it holds what package-lock.json says, and `npm ci` when it does not. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { runInForeground } from "./children.mjs";
import { say, ScriptError } from "./repository.mjs";

/** @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean }} LockedPackage */

/**
 * npm keeps a list of what it installed, whoever called it; so somebody's own `npm ci` counts too.
 *
 * @param {string} root
 * @returns {string | undefined} why there is something to install
 */
export function whyInstall(root) {
    const locked = packagesIn(join(root, "package-lock.json"));
    if (!locked) throw new ScriptError(`There is no readable package-lock.json in ${root}; the clone is not whole.`);
    const installed = packagesIn(join(root, "node_modules", ".package-lock.json"));
    if (!installed) return "nothing is installed yet";
    for (const [path, { version, integrity, link, optional }] of Object.entries(locked)) {
        // "" is this package, "examples/…" the workspaces; the optional ones may be for another platform.
        if (!path.startsWith("node_modules/") || optional) continue;
        const found = installed[path];
        if (!found) return `${nameOf(path)} is missing`;
        if (!link && (found.version !== version || found.integrity !== integrity)) {
            return `${nameOf(path)} is ${found.version} and should be ${version}`;
        }
    }
    return undefined;
}

/** @param {string} root */
export async function install(root) {
    const why = whyInstall(root);
    if (why === undefined) return;
    say("packages", `npm ci, up to a minute (${why})`);
    const [command, ...first] = npm();
    const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
    const code = await runInForeground(command, [...first, ...args], { cwd: root, stdoutToStderr: true });
    if (code !== 0) throw new ScriptError(`npm ci ended with exit code ${code}; what it says is above.`, code);
}

/**
 * The npm that runs us, else the one on PATH.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {[string, ...string[]]}
 */
export function npm(env = process.env) {
    const script = env.npm_execpath;
    if (script && basename(script) === "npm-cli.js") return [process.execPath, script];
    return [process.platform === "win32" ? "npm.cmd" : "npm"];
}

/**
 * @param {string} file
 * @returns {Record<string, LockedPackage> | undefined}
 */
function packagesIn(file) {
    try {
        return JSON.parse(readFileSync(file, "utf8")).packages;
    } catch {
        return undefined;
    }
}

/** @param {string} path - such as "node_modules/a/node_modules/b" */
const nameOf = (path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
