/** Versions of Node and of package managers, each from npm and each in a folder below the one that is given. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { plainEnvironment, run } from "./run.mjs";

/** What npm calls them. */
const PACKAGES = { "pnpm@10": "pnpm@10", "yarn@1": "yarn@1.22.22", "yarn@4": "@yarnpkg/cli-dist@4" };
const SCRIPTS = { pnpm: "pnpm/bin/pnpm.cjs", "yarn@1": "yarn/bin/yarn.js", "yarn@4": "@yarnpkg/cli-dist/bin/yarn.js" };

/** @typedef {{ folder: string, signal: AbortSignal }} Where */

/**
 * The folder to put first on PATH for this version of Node.
 *
 * @param {number} major
 * @param {Where} where
 * @returns {Promise<string>}
 */
export async function nodeFolder(major, where) {
    if (Number(process.versions.node.split(".")[0]) === major) return dirname(process.execPath);
    const modules = await installed(`node@${major}`, where);
    return join(modules, "node", "bin");
}

/**
 * The command that is the package manager.
 *
 * @param {import("./cells.mjs").Cell} cell
 * @param {Where} where
 * @returns {Promise<readonly [string, ...string[]]>} takes the `node` of PATH
 */
export async function managerCommand({ manager, managerVersion }, where) {
    if (manager === "npm") return ["npm"];
    const name = `${manager}@${managerVersion}`;
    const modules = await installed(PACKAGES[name], where);
    const script = join(modules, SCRIPTS[manager] ?? SCRIPTS[name]);
    // Pulumi looks for the package manager of Pulumi.yaml on PATH.
    const bin = join(dirname(modules), "bin");
    mkdirSync(bin, { recursive: true });
    if (!existsSync(join(bin, manager))) symlinkSync(script, join(bin, manager));
    return [join(bin, manager)];
}

/**
 * @param {string} name - with its version
 * @param {Where} where
 * @returns {Promise<string>} the node_modules with it
 */
async function installed(name, { folder, signal }) {
    const home = join(folder, name.replace(/[^a-z0-9@.-]/g, "_"));
    const modules = join(home, "node_modules");
    if (!existsSync(modules)) {
        mkdirSync(home, { recursive: true });
        writeFileSync(join(home, "package.json"), '{ "private": true }\n');
        const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", name];
        await run(["npm", ...args], { cwd: home, env: plainEnvironment(), signal });
    }
    return modules;
}
