/** Commands that are run to their end and say something only when they fail. */
import { execFile } from "node:child_process";

/** More than an installation or a run of Pulumi against a fast emulator takes. */
const LIMIT_MS = 300_000;
/** Of what a failed command said. */
const LINES_SHOWN = 30;

/** A command that failed, with the end of what it said. */
export class CommandFailed extends Error {
    /**
     * @param {string} command
     * @param {string} output
     */
    constructor(command, output) {
        super(`${command} failed:\n${output.trimEnd().split("\n").slice(-LINES_SHOWN).join("\n")}`);
        this.name = "CommandFailed";
    }
}

/**
 * @param {readonly [string, ...string[]]} command
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, signal?: AbortSignal }} options
 * @returns {Promise<string>} what it wrote to stdout
 * @throws {CommandFailed}
 */
export function run([file, ...args], { cwd, env, signal }) {
    return new Promise((resolve, reject) => {
        const options = { cwd, env, signal, timeout: LIMIT_MS, maxBuffer: Infinity };
        execFile(file, args, options, (error, stdout, stderr) => {
            if (!error) resolve(stdout);
            else if (signal?.aborted) reject(signal.reason);
            else reject(new CommandFailed([file, ...args].join(" "), `${stdout}${stderr}` || error.message));
        });
    });
}

/**
 * The environment of somebody who calls commands in a terminal: without what `npm run` adds, and without this repository's
 * and this person's settings of the provider.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {NodeJS.ProcessEnv}
 */
export function plainEnvironment(env = process.env) {
    const added = /^(npm_|INIT_CWD$|NODE$|NODE_PATH$|NODE_OPTIONS$|CLOUDDB_|PULUMI_)/;
    return Object.fromEntries(Object.entries(env).filter(([name]) => !added.test(name)));
}
