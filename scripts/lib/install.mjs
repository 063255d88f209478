/** Runs `npm ci` if node_modules differs from package-lock.json. Uses only built-in modules of Node. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInForeground } from "./children.mjs";
import { npmCommand } from "./npm.mjs";
import { report, ScriptError } from "./repository.mjs";

/**
 * Compares package-lock.json with npm's list of installed packages, so that the user's own `npm ci` is accepted.
 * There is no list before it, and no complete one while another process writes it.
 */
export function isInstalled(root) {
    try {
        const installed = packagesIn(root, "node_modules/.package-lock.json");
        // The others are this package and its workspaces; an optional package may be for another platform.
        return Object.entries(packagesIn(root, "package-lock.json"))
            .filter(([path, { optional }]) => path.startsWith("node_modules/") && !optional)
            .every(([path, { version }]) => installed[path] && installed[path].version === version);
    } catch {
        return false;
    }
}

const packagesIn = (root, file) => JSON.parse(readFileSync(join(root, file), "utf8")).packages;

export async function install(root) {
    if (isInstalled(root)) {
        return;
    }
    report("packages", "npm ci, up to a minute");
    const [program, ...npm] = npmCommand();
    const args = [...npm, "ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
    const code = await runInForeground(program, args, { cwd: root, stdoutToStderr: true });
    if (code !== 0) {
        throw new ScriptError(`npm ci failed with exit code ${code}. Its output is above.`);
    }
}
