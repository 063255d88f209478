/** Child processes that a person looks at: they have the terminal, and their exit code becomes ours. */
import { spawn } from "node:child_process";
import { constants } from "node:os";

/** A signal that comes again this soon is the same one: npm passes on what the terminal has sent already. */
const SAME_SIGNAL_MS = 1_000;
const LOOK_FOR_PARENT_MS = 500;

/**
 * @typedef {object} ForegroundOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [stdoutToStderr] - its output is progress, not ours
 */

/**
 * Runs it to its end. A terminal's Ctrl-C reaches the child by itself, so we only wait for what it makes of it; without a
 * terminal it gets the signals that we get. When who started us is gone, it is asked to end: a signal for npm ends npm and its
 * shell, and does not reach us. It is never killed.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {ForegroundOptions} [options]
 * @returns {Promise<number>} exit code, as a shell counts it
 */
export function runInForeground(command, args, { cwd, env, stdoutToStderr = false } = {}) {
    const onTerminal = process.stdin.isTTY === true;
    return new Promise((resolve, reject) => {
        const child = spawn(command, args, {
            cwd,
            env,
            stdio: ["inherit", stdoutToStderr ? 2 : "inherit", "inherit"],
            // Else a signal for the whole group would come twice, and twice means at once to Pulumi.
            detached: !onTerminal && process.platform !== "win32",
        });
        let last = -Infinity;
        /** @param {NodeJS.Signals} signal */
        const pass = (signal) => {
            const again = Date.now() - last < SAME_SIGNAL_MS;
            last = Date.now();
            if (!again && !(onTerminal && signal === "SIGINT")) child.kill(signal);
        };
        const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
        for (const signal of signals) process.on(signal, pass);
        const parent = process.ppid;
        const watch = setInterval(() => {
            if (process.ppid === parent) return;
            clearInterval(watch);
            child.kill("SIGTERM");
        }, LOOK_FOR_PARENT_MS);
        const done = () => {
            clearInterval(watch);
            for (const signal of signals) process.off(signal, pass);
        };
        child.once("error", (error) => {
            done();
            reject(error);
        });
        child.once("exit", (code, signal) => {
            done();
            resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
        });
    });
}
