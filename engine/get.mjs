/** Gets an engine into the cache, one way after the other. Whoever calls this holds the lock. */
import { closeSync, openSync, rmSync } from "node:fs";
import { buildFromModules } from "./build.mjs";
import { emptyStage, makeStage, publish } from "./cache.mjs";
import { askVersion, findIn } from "./find.mjs";
import { downloadByLauncher } from "./launcher.mjs";
import { noEngineError } from "./report.mjs";

/**
 * What a way of getting the engine works with.
 *
 * @typedef {object} Work
 * @property {import("./modules.mjs").Wanted} wanted
 * @property {import("./cache.mjs").Stage} stage
 * @property {NodeJS.ProcessEnv} env
 * @property {number} logFd
 * @property {AbortSignal} signal
 * @property {import("./report.mjs").Report} report
 */

/** @typedef {{ refused: string, details?: string[] } | undefined} Refusal undefined when the stage holds the engine */

/**
 * @typedef {object} Way
 * @property {"launcher" | "build"} step
 * @property {"launcher" | "built"} source
 * @property {(work: Work) => Promise<Refusal>} get - fills the stage
 */

/** @type {Way[]} */
const WAYS = [
    { step: "launcher", source: "launcher", get: downloadByLauncher },
    { step: "build", source: "built", get: buildFromModules },
];

/**
 * @param {Omit<Work, "stage" | "logFd"> & { cache: import("./cache.mjs").Cache, attempts: import("./report.mjs").Attempt[] }} work - with what was tried before
 * @returns {Promise<Way["source"]>} where it came from
 */
export async function getEngine({ cache, attempts, ...work }) {
    const logFd = openSync(cache.logFile, "w");
    const stage = makeStage(cache);
    try {
        for (const { step, source, get } of WAYS) {
            const refusal = (await get({ ...work, stage, logFd })) ?? (await proveItRuns(stage, work));
            if (!refusal) {
                publish(stage, cache);
                return source;
            }
            const { refused: reason, details } = refusal;
            attempts.push({ step, reason, ...(details && { details }) });
            work.report(step, reason);
            emptyStage(stage);
        }
        throw noEngineError(attempts, { goMinimum: work.wanted.goMinimum, logFile: cache.logFile });
    } finally {
        closeSync(logFd);
        rmSync(stage.folder, { recursive: true, force: true });
    }
}

/**
 * @param {import("./cache.mjs").Stage} stage
 * @param {Pick<Work, "wanted" | "env" | "signal">} work
 * @returns {Promise<Refusal>}
 */
async function proveItRuns(stage, { wanted, env, signal }) {
    const command = findIn(stage.bin, "pulumi") ?? stage.bin;
    const { version, failure } = await askVersion(command, { ...env, PULUMI_HOME: stage.temp }, signal);
    if (!version) return { refused: `the new pulumi does not run: ${failure}` };
    return version === wanted.version ? undefined : { refused: `it is ${version}, not ${wanted.version}` };
}
