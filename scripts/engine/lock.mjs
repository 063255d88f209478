/** A lock file that names its holder. Uses only built-in modules of Node, because `npm ci` runs under such a lock. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { report } from "../lib/repository.mjs";

const pollMs = 500;

/**
 * Does the work while holding the lock. Waits while another process holds the lock. If a process was killed, the next one
 * on the same host takes its lock.
 *
 * @template T
 * @param {string} file - in a folder that exists
 * @param {string} does - what the holder does, for the line that is printed before a wait
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, does, work) {
    for (let waiting = false; !create(file);) {
        const holder = read(file);
        if (holder === undefined) {
            continue;
        }
        if (hasEnded(holder)) {
            clearAway(file, holder);
            continue;
        }
        if (!waiting) {
            report("wait", `for ${holder}, which ${does}. If it has ended, delete ${file}`);
        }
        waiting = true;
        await sleep(pollMs);
    }
    try {
        return await work();
    } finally {
        rmSync(file, { force: true });
    }
}

/** Removes the lock of a holder that has ended. Restores the lock if another process has taken it in the meantime. */
function clearAway(file, holder) {
    const aside = `${file}.${process.pid}`;
    unless("ENOENT", () => {
        renameSync(file, aside);
        if (read(aside) === holder) {
            rmSync(aside);
        } else {
            renameSync(aside, file);
        }
    });
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

/** A process of another host counts as running. */
function hasEnded(holder) {
    const [, pid, host] = /^process (\d+) on (.*)$/.exec(holder) ?? [];
    return host === hostname() && !isRunning(Number(pid));
}

const create = (file) =>
    unless("EEXIST", () => {
        writeFileSync(file, `process ${process.pid} on ${hostname()}`, { flag: "wx" });
        return true;
    });

const read = (file) => unless("ENOENT", () => readFileSync(file, "utf8"));

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
