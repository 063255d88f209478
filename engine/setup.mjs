#!/usr/bin/env node
/**
 * Finds a Pulumi engine, or gets one: on PATH; in the cache; through the
 * official launcher; built from Go modules.
 *
 * For the quickstart and the tests of this repository. Users of the package
 * have Pulumi; nothing of this folder is shipped to them.
 *
 *     node engine/setup.mjs    progress on stderr, the folder with the engine on stdout
 */
import { mkdirSync, realpathSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFor } from "./cache.mjs";
import { completeEngine, engineOnPath } from "./find.mjs";
import { getEngine } from "./get.mjs";
import { takeLock } from "./lock.mjs";
import { wantedEngine } from "./modules.mjs";
import { EngineError, duration, reportToStderr, startHeartbeat } from "./report.mjs";

export { EngineError };

/**
 * @typedef {object} Engine
 * @property {string} bin - folder to put first on PATH; see `pathWithEngine`
 * @property {string} command - the `pulumi` in it
 * @property {string} version - such as "3.250.0"
 * @property {"path" | "launcher" | "cache" | "built"} source
 */

/**
 * @typedef {object} EngineOptions
 * @property {NodeJS.ProcessEnv} [env] - default: this process's
 * @property {import("./report.mjs").Report} [report] - told what goes on, once there is something to wait for; default: lines on stderr
 */

/**
 * Safe to call again and at the same time, in this process or another: one
 * works, the others wait for it. On SIGINT, SIGTERM or SIGHUP it ends what it
 * started, cleans up, and lets the signal take its course.
 *
 * @param {EngineOptions} [options]
 * @returns {Promise<Engine>}
 * @throws {EngineError} with a message that is complete and for people
 */
export async function ensureEngine({ env = process.env, report = reportToStderr } = {}) {
    return interruptible(async (signal) => {
        const onPath = await engineOnPath(env, signal);
        if ("command" in onPath) {
            return { bin: dirname(onPath.command), ...onPath, source: "path" };
        }
        const wanted = wantedEngine();
        const cache = cacheFor(wanted.key, env);
        const cached = cachedEngine(cache, wanted);
        if (cached) return cached;

        report("path", onPath.refused);
        report("cache", `nothing in ${cache.folder}`);
        /** @type {import("./report.mjs").Attempt[]} */
        const attempts = [
            { step: "path", reason: onPath.refused },
            { step: "cache", reason: `nothing in ${cache.folder}` },
        ];
        return await withLock(cache, { signal, report }, async () => {
            // The one that was waited for may have put it there.
            const found = cachedEngine(cache, wanted);
            if (found) return found;
            const begin = Date.now();
            const source = await getEngine({ wanted, cache, env, signal, report, attempts });
            const engine = cachedEngine(cache, wanted);
            if (!engine) throw new EngineError(`${cache.folder} was taken away while it was being made.`);
            report("ready", `Pulumi ${engine.version} in ${engine.bin}, after ${duration(Date.now() - begin)}`);
            return { ...engine, source };
        });
    });
}

/**
 * The PATH for a child process that is to find the engine. The user's own
 * engine is on it already; its folder is not moved to the front, where it could
 * bring another `node` with it.
 *
 * @param {Engine} engine
 * @param {string} [path] - default: this process's
 */
export function pathWithEngine(engine, path = process.env.PATH ?? "") {
    return engine.source === "path" ? path : `${engine.bin}${delimiter}${path}`;
}

/**
 * @param {import("./cache.mjs").Cache} cache
 * @param {import("./modules.mjs").Wanted} wanted
 * @returns {Engine | undefined}
 */
function cachedEngine(cache, wanted) {
    const command = completeEngine(cache.bin);
    return command ? { bin: cache.bin, command, version: wanted.version, source: "cache" } : undefined;
}

/**
 * @template T
 * @param {import("./cache.mjs").Cache} cache
 * @param {{ signal: AbortSignal, report: import("./report.mjs").Report }} options
 * @param {() => Promise<T>} work
 */
async function withLock(cache, { signal, report }, work) {
    makeRoot(cache);
    let stopHeartbeat = () => {};
    const release = await takeLock(cache.lockFile, {
        signal,
        onWait: ({ pid, host, since }) => {
            report("wait", `for process ${pid} on ${host}, which is getting the engine since ${since}`);
            stopHeartbeat = startHeartbeat(report, "wait", `for process ${pid}`);
        },
    }).finally(() => stopHeartbeat());
    try {
        return await work();
    } finally {
        release();
    }
}

/** @param {import("./cache.mjs").Cache} cache */
function makeRoot(cache) {
    try {
        mkdirSync(cache.root, { recursive: true });
    } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new EngineError(
            `The engine's cache folder cannot be made: ${why}\n  Set XDG_CACHE_HOME to a folder that can be written.`,
        );
    }
}

/**
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function interruptible(work) {
    const controller = new AbortController();
    /** @type {NodeJS.Signals | undefined} */
    let received;
    const onSignal = (/** @type {NodeJS.Signals} */ name) => {
        received ??= name;
        controller.abort(new EngineError(`Interrupted by ${name}.`));
    };
    const names = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
    for (const name of names) process.on(name, onSignal);
    try {
        return await work(controller.signal);
    } finally {
        for (const name of names) process.off(name, onSignal);
        // Nobody else minds it: end as one would have without us.
        if (received && process.listenerCount(received) === 0) process.kill(process.pid, received);
    }
}

async function main() {
    try {
        const engine = await ensureEngine();
        if (engine.source === "path" || engine.source === "cache") {
            reportToStderr("ready", `Pulumi ${engine.version} in ${engine.bin}`);
        }
        process.stdout.write(`${engine.bin}\n`);
    } catch (error) {
        const isForPeople = error instanceof EngineError || (error instanceof Error && "code" in error);
        if (!isForPeople) throw error;
        process.stderr.write(`error: ${error.message}\n`);
        process.exitCode = 1;
    }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await main();
