/**
 * The folder in the user's home that keeps engines:
 *
 *     <root>/<key>/bin/                 a whole engine; appears at once or not at all
 *     <root>/<key>.lock                 who is getting it now
 *     <root>/<key>.log                  what the programs said that were run for it
 *     <root>/<key>.tmp-<host>-<pid>/    an engine in the making
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { basename, isAbsolute, join } from "node:path";
import { DYNAMIC_PLUGIN, completeEngine, findIn, installedDynamicPlugin } from "./find.mjs";
import { isRunning } from "./lock.mjs";

/**
 * @typedef {object} Cache
 * @property {string} root
 * @property {string} folder
 * @property {string} bin
 * @property {string} lockFile
 * @property {string} logFile
 * @property {string} stagePrefix
 */

/**
 * @typedef {object} Stage
 * @property {string} folder - all of it goes away at the end
 * @property {string} bin - becomes the engine
 * @property {string} temp - for what the tools leave lying about
 */

/**
 * @param {string} key
 * @param {NodeJS.ProcessEnv} env
 * @returns {Cache}
 */
export function cacheFor(key, env) {
    const xdg = env.XDG_CACHE_HOME;
    // A relative path is to be ignored, says the XDG specification.
    const caches = xdg && isAbsolute(xdg) ? xdg : join(env.HOME || homedir(), ".cache");
    const root = join(caches, "pulumi-clouddb", "engine");
    const folder = join(root, key);
    const host = hostname().replace(/[^\w.]/g, "_");
    return {
        root,
        folder,
        bin: join(folder, "bin"),
        lockFile: `${folder}.lock`,
        logFile: `${folder}.log`,
        stagePrefix: `${folder}.tmp-${host}-`,
    };
}

/**
 * @param {Cache} cache
 * @returns {Stage}
 */
export function makeStage(cache) {
    removeLeftovers(cache);
    const folder = `${cache.stagePrefix}${process.pid}`;
    const stage = { folder, bin: join(folder, "bin"), temp: join(folder, "tmp") };
    emptyStage(stage);
    return stage;
}

/** @param {Stage} stage */
export function emptyStage(stage) {
    rmSync(stage.folder, { recursive: true, force: true });
    mkdirSync(stage.bin, { recursive: true });
    mkdirSync(stage.temp);
}

/**
 * @param {string} bin
 * @returns {boolean} false when there is none to add
 */
export function addDynamicPlugin(bin) {
    if (findIn(bin, DYNAMIC_PLUGIN)) return true;
    const plugin = installedDynamicPlugin();
    if (plugin) copyFileSync(plugin, join(bin, basename(plugin)));
    return plugin !== undefined;
}

/**
 * Makes a finished stage the engine of the cache.
 *
 * @param {Stage} stage
 * @param {Cache} cache
 */
export function publish(stage, cache) {
    const finished = join(stage.folder, "finished");
    mkdirSync(finished);
    renameSync(stage.bin, join(finished, "bin"));
    // One that is there and whole may be in use already; one that is not whole is in the way.
    if (completeEngine(cache.bin)) return;
    if (existsSync(cache.folder)) renameSync(cache.folder, join(stage.folder, "broken"));
    renameSync(finished, cache.folder);
}

/**
 * Stages of runs that were killed.
 *
 * @param {Cache} cache
 */
function removeLeftovers(cache) {
    for (const name of readdirSync(cache.root)) {
        const path = join(cache.root, name);
        const pid = path.startsWith(cache.stagePrefix) ? Number(path.slice(cache.stagePrefix.length)) : NaN;
        if (pid > 0 && !isRunning(pid)) rmSync(path, { recursive: true, force: true });
    }
}
