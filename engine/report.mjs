/** What a person sees: progress lines, a sign of life, and the one error. */
import { MINIMUM_ON_PATH } from "./modules.mjs";

const HEARTBEAT_MS = 15_000;

/**
 * One line of progress.
 *
 * @callback Report
 * @param {"path" | "cache" | "wait" | "launcher" | "build" | "ready"} step
 * @param {string} text
 * @returns {void}
 */

/**
 * One way that was tried, and why it did not lead to an engine.
 *
 * @typedef {{ step: string, reason: string, details?: string[] }} Attempt
 */

/** @type {Report} */
export function reportToStderr(step, text) {
    process.stderr.write(`engine  ${step.padEnd(8)}  ${text}\n`);
}

/**
 * Says every few seconds that the work goes on.
 *
 * @param {Report} report
 * @param {Parameters<Report>[0]} step
 * @param {string} what
 * @returns {() => void} ends it
 */
export function startHeartbeat(report, step, what) {
    const begin = Date.now();
    const timer = setInterval(() => report(step, `${what}: ${duration(Date.now() - begin)} so far`), HEARTBEAT_MS);
    return () => clearInterval(timer);
}

/**
 * @param {number} milliseconds
 * @returns {string} such as "3 min 20 s"
 */
export function duration(milliseconds) {
    const seconds = Math.round(milliseconds / 1000);
    const minutes = Math.floor(seconds / 60);
    return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** Thrown when there is no engine; the message is complete and for people. */
export class EngineError extends Error {
    /**
     * @param {string} message
     * @param {Attempt[]} [attempts]
     */
    constructor(message, attempts = []) {
        super(message);
        this.name = "EngineError";
        this.attempts = attempts;
    }
}

/**
 * @param {Attempt[]} attempts
 * @param {{ goMinimum: string, logFile: string }} facts
 */
export function noEngineError(attempts, { goMinimum, logFile }) {
    const tried = attempts.flatMap(({ step, reason, details = [] }) => [
        `    ${step.padEnd(8)}  ${reason}`,
        ...details.map((line) => `    ${" ".repeat(8)}  | ${line}`),
    ]);
    const message = [
        "There is no Pulumi engine on this machine, and none could be had.",
        "  What was tried:",
        ...tried,
        "  Three ways out, each is enough:",
        `    1. install Pulumi ${MINIMUM_ON_PATH} or newer (https://www.pulumi.com/docs/install/) and have it on PATH`,
        "    2. let this machine reach the npm registry, get.pulumi.com and github.com: the official launcher (npm package `pulumi`) downloads it from there",
        `    3. install Go ${goMinimum} or newer (https://go.dev/dl/) and run \`npm ci\`: it is then built from the Go module proxy`,
        `  Full output: ${logFile}`,
    ].join("\n");
    return new EngineError(message, attempts);
}
