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
    let holder = otherHolder(file);
    if (holder !== undefined) {
        report("wait", `for ${holder}, which ${does}. If it has ended, delete ${file}`);
    }
    for (; holder !== undefined; holder = otherHolder(file)) {
        await sleep(pollMs);
    }
    try {
        return await work();
    } finally {
        rmSync(file, { force: true });
    }
}

/** Takes the lock and returns undefined, or returns the running process that holds it. */
function otherHolder(file) {
    try {
        writeFileSync(file, `process ${process.pid} on ${hostname()}`, { flag: "wx" });
        return undefined;
    } catch (error) {
        ignore(error, "EEXIST");
    }
    try {
        const holder = readFileSync(file, "utf8");
        const [, pid, host] = /^process (\d+) on (.*)$/.exec(holder) ?? [];
        if (!hasEnded(Number(pid), host)) {
            return holder;
        }
        // Another process may have taken the lock since it was read. Then it is restored.
        const aside = `${file}.${process.pid}`;
        renameSync(file, aside);
        if (readFileSync(aside, "utf8") === holder) {
            rmSync(aside);
        } else {
            renameSync(aside, file);
        }
    } catch (error) {
        ignore(error, "ENOENT");
    }
    return otherHolder(file);
}

/** A process of another host counts as running. */
export function hasEnded(pid, host) {
    try {
        return host === hostname() && !process.kill(pid, 0);
    } catch (error) {
        // EPERM: it runs, as another user.
        return error.code === "ESRCH";
    }
}

function ignore(error, code) {
    if (error.code !== code) {
        throw error;
    }
}
