/** Helpers for all scripts. Uses only built-in modules of Node, because it runs before `npm ci`. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const repositoryRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** An error that the user can resolve. It is printed without a stack trace. */
export class ScriptError extends Error {}

/** Prints a line of progress. */
export function report(step, text, program = "setup") {
    process.stderr.write(`${program.padEnd(6)}  ${step.padEnd(8)}  ${text}\n`);
}

/** Compares versions without a library, because it runs before `npm ci`. */
function requireNode() {
    const { node: running } = process.versions;
    const { engines } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
    const minimum = engines.node.replace(">=", "");
    if (running.localeCompare(minimum, "en", { numeric: true }) < 0) {
        throw new ScriptError(
            `Node ${minimum} or newer is required, but this is ${running}. Install it from https://nodejs.org/.`,
        );
    }
}

/**
 * Runs a script and sets the exit code.
 *
 * @param {() => Promise<number | void>} work - returns the exit code; default 0
 */
export async function main(work) {
    try {
        requireNode();
        process.exitCode = (await work()) ?? 0;
    } catch (error) {
        if (!(error instanceof ScriptError)) {
            throw error;
        }
        process.stderr.write(`error: ${error.message}\n`);
        process.exitCode = 1;
    }
}
