/** What every script needs to know about this repository. Runs before anything is installed. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Thrown for what a person has to put right; the message is complete, and no stack is shown. */
export class ScriptError extends Error {
    /**
     * @param {string} message
     * @param {number} [exitCode]
     */
    constructor(message, exitCode = 1) {
        super(message);
        this.name = "ScriptError";
        this.exitCode = exitCode;
    }
}

/**
 * One line of progress, in the columns that the engine's set-up uses.
 *
 * @param {string} step
 * @param {string} text
 */
export function say(step, text) {
    process.stderr.write(`setup   ${step.padEnd(8)}  ${text}\n`);
}

/**
 * @param {string} [running] - version of Node, such as "20.19.0"
 * @throws {ScriptError} when it is too old for this package
 */
export function requireNode(running = process.versions.node) {
    const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const minimum = /** @type {string} */ (engines.node).replace(/^>=/, "");
    if (isAtLeast(running, minimum)) return;
    throw new ScriptError(`This needs Node ${minimum} or newer, and runs on ${running}: https://nodejs.org/`);
}

/**
 * @param {string} version
 * @param {string} minimum
 */
function isAtLeast(version, minimum) {
    const [have, need] = [version, minimum].map((text) => text.split(".").map(Number));
    for (let index = 0; index < need.length; index++) {
        const difference = (have[index] ?? 0) - need[index];
        if (difference !== 0) return difference > 0;
    }
    return true;
}

/**
 * Runs a script's work; what goes wrong ends in its exit code and, when it is for people, in one message.
 *
 * @param {() => Promise<number | void>} work - answers the exit code; nothing means 0
 */
export async function main(work) {
    try {
        requireNode();
        process.exitCode = (await work()) ?? 0;
    } catch (error) {
        const isForPeople = error instanceof Error && ["ScriptError", "EngineError"].includes(error.name);
        if (!isForPeople) throw error;
        process.stderr.write(`error: ${error.message}\n`);
        process.exitCode = error instanceof ScriptError ? error.exitCode : 1;
    }
}
