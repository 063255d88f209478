/**
 * A file that says who is at work, so that others wait instead of doing the
 * same. It saves work only: what is made is put in place by one rename, so two
 * that hold it by mistake do no harm.
 */
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_AGAIN_MS = 500;
const TOUCH_MS = 10_000;
/** For holders that cannot be asked: on another host, or a number that another process got since. */
const STALE_AFTER_MS = 120_000;

/** @typedef {{ pid: number, host: string, since: string }} Holder */

/**
 * @param {string} file - in a folder that exists
 * @param {{ signal: AbortSignal, onWait: (holder: Partial<Holder>) => void }} options - `onWait` is called once, if at all
 * @returns {Promise<() => void>} lets go of it
 */
export async function takeLock(file, { signal, onWait }) {
    const mine = JSON.stringify({ pid: process.pid, host: hostname(), since: new Date().toISOString() });
    let waiting = false;
    while (!create(file, mine)) {
        const theirs = read(file);
        if (theirs === undefined) continue;
        if (isStale(file, theirs)) {
            removeStale(file, theirs);
            continue;
        }
        if (!waiting) onWait(parse(theirs));
        waiting = true;
        await sleep(LOOK_AGAIN_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
    const touching = setInterval(() => touch(file), TOUCH_MS);
    touching.unref();
    return () => {
        clearInterval(touching);
        if (read(file) === mine) rmSync(file, { force: true });
    };
}

/** @param {number} pid */
export function isRunning(pid) {
    try {
        process.kill(pid, 0);
        return true;
    } catch (error) {
        // It is there, but another user's.
        return codeOf(error) === "EPERM";
    }
}

/**
 * @param {string} file
 * @param {string} content
 */
function create(file, content) {
    try {
        writeFileSync(file, content, { flag: "wx" });
        return true;
    } catch (error) {
        if (codeOf(error) === "EEXIST") return false;
        throw error;
    }
}

/**
 * @param {string} file
 * @returns {string | undefined} undefined when it is gone
 */
function read(file) {
    try {
        return readFileSync(file, "utf8");
    } catch (error) {
        if (codeOf(error) === "ENOENT") return undefined;
        throw error;
    }
}

/**
 * @param {string} file
 * @param {string} content
 */
function isStale(file, content) {
    const { pid, host } = parse(content);
    if (host === hostname() && pid !== undefined && !isRunning(pid)) return true;
    const touched = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    return touched !== undefined && Date.now() - touched > STALE_AFTER_MS;
}

/**
 * Moves it aside first: of two that found the same stale lock only one can, and
 * one that comes late sees that it holds another's new lock, and gives it back.
 *
 * @param {string} file
 * @param {string} content - as it was when found stale
 */
function removeStale(file, content) {
    const aside = `${file}.${process.pid}`;
    try {
        renameSync(file, aside);
    } catch (error) {
        if (codeOf(error) === "ENOENT") return;
        throw error;
    }
    const moved = read(aside);
    if (moved !== undefined && moved !== content) create(file, moved);
    rmSync(aside, { force: true });
}

/** @param {string} file */
function touch(file) {
    try {
        const now = new Date();
        utimesSync(file, now, now);
    } catch {
        // Taken over by someone who thought us dead: nothing to keep alive.
    }
}

/**
 * @param {string} content
 * @returns {Partial<Holder>} empty while its owner has not finished writing it
 */
function parse(content) {
    try {
        return JSON.parse(content);
    } catch {
        return {};
    }
}

/** @param {unknown} error */
function codeOf(error) {
    return error instanceof Error && "code" in error ? error.code : undefined;
}
