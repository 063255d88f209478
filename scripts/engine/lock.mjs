/** A lock file that names its holder. Uses only built-in modules of Node, because `npm ci` runs under such a lock. */
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

const pollMs = 500;
const touchMs = 10_000;
/** For a holder on another host, or whose process id belongs to another process now. */
const staleAfterMs = 120_000;

let locks = 0;

/**
 * Does the work while holding the lock. Waits while another running process holds the lock.
 *
 * @template T
 * @param {string} file - in a folder that exists
 * @param {(holder: string) => void} onWait - called once before it waits, with text such as "process 12 on build-host"
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, onWait, work) {
    const mine = `process ${process.pid} on ${hostname()}, lock ${(locks += 1)}`;
    for (let waiting = false; !create(file, mine);) {
        if (removeIfStale(file)) {
            continue;
        }
        if (!waiting) {
            onWait(read(file)?.split(",")[0] ?? "");
        }
        waiting = true;
        await sleep(pollMs);
    }
    const touching = setInterval(
        () => unless("ENOENT", () => utimesSync(file, new Date(), new Date())),
        touchMs,
    ).unref();
    try {
        return await work();
    } finally {
        clearInterval(touching);
        if (read(file) === mine) {
            rmSync(file, { force: true });
        }
    }
}

/** @param {number} pid */
export function isRunning(pid) {
    try {
        return process.kill(pid, 0);
    } catch (error) {
        // EPERM: it runs, as another user.
        return error.code === "EPERM";
    }
}

const create = (file, content) =>
    unless("EEXIST", () => {
        writeFileSync(file, content, { flag: "wx" });
        return true;
    });

const read = (file) => unless("ENOENT", () => readFileSync(file, "utf8"));

/** Renames the lock before deleting it: if two processes find the same stale lock, only one succeeds. */
function removeIfStale(file) {
    const holder = read(file);
    if (holder === undefined || !isStale(file, holder)) {
        return holder === undefined;
    }
    const aside = `${file}.${process.pid}`;
    unless("ENOENT", () => renameSync(file, aside));
    const removed = read(aside);
    if (removed === holder) {
        rmSync(aside);
    } else if (removed !== undefined) {
        // Another process was faster and holds the lock now: restore its file.
        renameSync(aside, file);
    }
    return true;
}

function isStale(file, holder) {
    const [, pid, host] = /^process (\d+) on (.*), lock/.exec(holder) ?? [];
    if (host === hostname() && !isRunning(Number(pid))) {
        return true;
    }
    const touchedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    return touchedAt !== undefined && Date.now() - touchedAt > staleAfterMs;
}

/** Returns undefined if the work fails with this code. */
function unless(code, work) {
    try {
        return work();
    } catch (error) {
        if (error.code !== code) {
            throw error;
        }
        return undefined;
    }
}
