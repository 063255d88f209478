/** Child processes that use our terminal. */
import { spawn } from "node:child_process";
import { constants } from "node:os";

/** npm sends a signal that the terminal has already sent; two count as one within this time. */
const SAME_SIGNAL_MS = 1_000;
const PARENT_CHECK_MS = 500;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Runs a command until it ends. A terminal sends Ctrl-C to the child itself; without a terminal it gets our signals. When our
 * parent process has ended, the child gets SIGTERM: npm does not pass its signals on. The child is never killed.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, stdoutToStderr?: boolean }} [options]
 * @returns {Promise<number>} the exit code, as a shell reports it
 */
export function runInForeground(command, args, { stdoutToStderr = false, ...options } = {}) {
    const onTerminal = process.stdin.isTTY === true;
    // In our process group it would get each signal twice, which stops Pulumi at once.
    const detached = !onTerminal;
    const child = spawn(command, args, {
        ...options,
        detached,
        stdio: ["inherit", stdoutToStderr ? 2 : "inherit", "inherit"],
    });
    let lastSignalAt = -Infinity;
    const passOn = (signal) => {
        const repeated = Date.now() - lastSignalAt < SAME_SIGNAL_MS;
        lastSignalAt = Date.now();
        if (!repeated && !(onTerminal && signal === "SIGINT")) child.kill(signal);
    };
    for (const signal of SIGNALS) process.on(signal, passOn);
    const parent = process.ppid;
    const parentCheck = setInterval(() => {
        if (process.ppid === parent) return;
        clearInterval(parentCheck);
        child.kill("SIGTERM");
    }, PARENT_CHECK_MS);
    const ended = new Promise((resolve, reject) => {
        child.once("error", reject);
        child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
    });
    return ended.finally(() => {
        clearInterval(parentCheck);
        for (const signal of SIGNALS) process.off(signal, passOn);
    });
}
