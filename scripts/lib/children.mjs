/** Child processes that use the terminal of this process. */
import { spawn } from "node:child_process";
import { constants } from "node:os";

/** npm repeats a signal of the terminal. Repeated signals within this time count as one. */
const sameSignalMs = 1_000;
const parentCheckMs = 500;
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
const isWindows = process.platform === "win32";

/**
 * Runs a command until it ends. A terminal sends Ctrl-C to the child directly, and so does Windows, where a signal that is
 * passed on would kill the child. Without a terminal, this process passes its signals on. If the parent process ends, the
 * child gets SIGTERM, because npm does not pass signals on. The child is never killed.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, stdoutToStderr?: boolean }} [options]
 * @returns {Promise<number>} the exit code, as a shell reports it
 */
export function runInForeground(command, args, { stdoutToStderr = false, ...options } = {}) {
    const onTerminal = isWindows || process.stdin.isTTY === true;
    // In the same process group, the child would get each signal twice, which ends Pulumi immediately.
    const detached = !onTerminal;
    const child = spawn(command, args, {
        ...options,
        detached,
        stdio: ["inherit", stdoutToStderr ? 2 : "inherit", "inherit"],
    });
    let lastSignalAt = -Infinity;
    const passOn = (signal) => {
        const repeated = Date.now() - lastSignalAt < sameSignalMs;
        lastSignalAt = Date.now();
        if (!repeated && !(onTerminal && signal === "SIGINT")) {
            child.kill(signal);
        }
    };
    for (const signal of signals) {
        process.on(signal, passOn);
    }
    const parent = process.ppid;
    const parentCheck = setInterval(() => {
        if (process.ppid === parent) {
            return;
        }
        clearInterval(parentCheck);
        child.kill("SIGTERM");
    }, parentCheckMs);
    const ended = new Promise((resolve, reject) => {
        child.once("error", reject);
        child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
    });
    return ended.finally(() => {
        clearInterval(parentCheck);
        for (const signal of signals) {
            process.off(signal, passOn);
        }
    });
}
