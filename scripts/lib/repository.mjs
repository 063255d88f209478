/** Helpers for all scripts. Uses only built-in modules of Node, because it runs before `npm ci`. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const repositoryRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** An error that the user can resolve. It is printed without a stack trace. */
export class ScriptError extends Error {
    name = "ScriptError";

    constructor(message, exitCode = 1) {
        super(message);
        this.exitCode = exitCode;
    }
}

/** Prints a line of progress, in the format of engine/setup.mjs. */
export function report(step, text) {
    process.stderr.write(`setup   ${step.padEnd(8)}  ${text}\n`);
}

/** @param {string} [running] - a version of Node */
export function requireNode(running = process.versions.node) {
    const { engines } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
    const minimum = engines.node.replace(">=", "");
    const [[major, minor], [minMajor, minMinor]] = [running, minimum].map((version) => version.split(".").map(Number));
    if (major > minMajor || (major === minMajor && minor >= minMinor)) {
        return;
    }
    throw new ScriptError(
        `Node ${minimum} or newer is required, but this is ${running}. Install it from https://nodejs.org/.`,
    );
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
        if (!["ScriptError", "EngineError"].includes(error?.name)) {
            throw error;
        }
        process.stderr.write(`error: ${error.message}\n`);
        process.exitCode = error.exitCode ?? 1;
    }
}
