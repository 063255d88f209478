/** One child process: bounded in time, its output kept, and it ends with us. */
import { spawn } from "node:child_process";
import { writeSync } from "node:fs";

const GRACE_MS = 2_000;
const KEPT_CHARACTERS = 16_384;
const OWN_GROUP = process.platform !== "win32";

/**
 * @typedef {object} RunOptions
 * @property {NodeJS.ProcessEnv} env
 * @property {number} limitMs - it is ended after this long
 * @property {AbortSignal} signal - it is ended when this aborts
 * @property {string} [cwd]
 * @property {number} [logFd] - open file that gets all of its output
 */

/**
 * How it went. `failure` is undefined when it ended with exit code 0.
 *
 * @typedef {object} RunResult
 * @property {string} stdout - the end of it
 * @property {string[]} lines - the end of stdout and stderr together, without empty lines
 * @property {string} [failure]
 */

/**
 * Rejects only when `signal` aborts, and then not before the child is gone.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} options
 * @returns {Promise<RunResult>}
 */
export async function run(command, args, { cwd, env, limitMs, signal, logFd }) {
    signal.throwIfAborted();
    log(logFd, `\n$ ${command} ${args.join(" ")}\n`);
    // A group of its own: all that it starts can be ended with it, and nothing else.
    const child = spawn(command, args, {
        cwd,
        env,
        stdio: ["ignore", "pipe", "pipe"],
        detached: OWN_GROUP,
    });

    let stdout = "";
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
        stdout = (stdout + text).slice(-KEPT_CHARACTERS);
    });
    for (const stream of [child.stdout, child.stderr.setEncoding("utf8")]) {
        stream.on("data", (/** @type {string} */ text) => {
            output = (output + text).slice(-KEPT_CHARACTERS);
            log(logFd, text);
        });
    }

    let timedOut = false;
    /** @type {NodeJS.Timeout | undefined} */
    let graceTimer;
    const end = () => {
        kill(child, "SIGTERM");
        graceTimer ??= setTimeout(() => kill(child, "SIGKILL"), GRACE_MS);
    };
    const limitTimer = setTimeout(() => {
        timedOut = true;
        end();
    }, limitMs);
    const killNow = () => kill(child, "SIGKILL");
    signal.addEventListener("abort", end, { once: true });
    process.once("exit", killNow);
    try {
        const failure = await ending(child);
        signal.throwIfAborted();
        const lines = output.split(/\r?\n/).filter((line) => line.trim() !== "");
        if (timedOut) {
            return { stdout, lines, failure: `not done after ${limitMs / 1000} s` };
        }
        return failure === undefined ? { stdout, lines } : { stdout, lines, failure };
    } finally {
        clearTimeout(limitTimer);
        clearTimeout(graceTimer);
        signal.removeEventListener("abort", end);
        process.off("exit", killNow);
        // What it started and did not end itself.
        if (timedOut || signal.aborted) killNow();
    }
}

/**
 * @param {number | undefined} fd
 * @param {string} text
 */
function log(fd, text) {
    if (fd === undefined) return;
    try {
        writeSync(fd, text);
    } catch {
        // A full disk shows in the child's own failure.
    }
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<string | undefined>} what went wrong
 */
function ending(child) {
    return new Promise((resolve) => {
        child.once("error", (error) => resolve(error.message));
        child.once("exit", (code, signal) => {
            const failure = code === 0 ? undefined : signal ? `ended by ${signal}` : `exit code ${code}`;
            // "close" waits for whoever still holds the pipes, which may be a grandchild that stays.
            const giveUp = setTimeout(() => resolve(failure), GRACE_MS);
            child.once("close", () => {
                clearTimeout(giveUp);
                resolve(failure);
            });
        });
    });
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function kill(child, signal) {
    if (child.pid === undefined) return;
    try {
        if (OWN_GROUP) process.kill(-child.pid, signal);
        else child.kill(signal);
    } catch {
        // Already gone.
    }
}
