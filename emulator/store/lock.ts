import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { EmulatorStartError } from "../errors";

/** Locks that this very process holds: its own pid in a lock file may also be that of a dead process which had the same one. */
const held = new Set<string>();

/** Makes sure that one emulator at a time uses a state file; answers the function that gives it free. */
export function lockStateFile(stateFile: string): () => void {
    const lockFile = `${stateFile}.lock`;
    if (!tryLock(lockFile)) {
        const owner = ownerOf(lockFile);
        if (owner !== undefined && isAlive(owner, lockFile)) {
            throw new EmulatorStartError(
                "state-locked",
                `State file ${stateFile} is in use by another emulator (process ${owner}); stop that one or choose another file.`,
            );
        }
        // The owner has died without giving it free.
        clearAway(lockFile, owner);
        if (!tryLock(lockFile)) {
            throw new EmulatorStartError(
                "state-locked",
                `State file ${stateFile} was taken by another emulator just now; choose another file.`,
            );
        }
    }
    held.add(lockFile);
    return () => {
        held.delete(lockFile);
        rmSync(lockFile, { force: true });
    };
}

function tryLock(lockFile: string): boolean {
    try {
        const file = openSync(lockFile, "wx", 0o600);
        writeSync(file, String(process.pid));
        closeSync(file);
        return true;
    } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
        throw new EmulatorStartError("state-unusable", `Cannot write ${lockFile}: ${(error as Error).message}`, {
            cause: error,
        });
    }
}

/** Removes the lock of a dead owner, and of no other: an emulator that starts at the same time may have replaced it just now. */
function clearAway(lockFile: string, owner: number | undefined): void {
    const aside = `${lockFile}.${process.pid}`;
    try {
        renameSync(lockFile, aside);
    } catch {
        return;
    }
    if (ownerOf(aside) === owner) rmSync(aside);
    else renameSync(aside, lockFile);
}

function ownerOf(lockFile: string): number | undefined {
    try {
        const pid = Number(readFileSync(lockFile, "utf8"));
        return Number.isInteger(pid) && pid > 0 ? pid : undefined;
    } catch {
        return undefined;
    }
}

/** It has ended, and nobody has taken note of that: a container without an init leaves such behind. */
function isZombie(pid: number): boolean {
    try {
        return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
    } catch {
        return false;
    }
}

function isAlive(pid: number, lockFile: string): boolean {
    if (pid === process.pid) return held.has(lockFile);
    try {
        process.kill(pid, 0);
        return !isZombie(pid);
    } catch (error) {
        // It lives, but under another user.
        return (error as NodeJS.ErrnoException).code === "EPERM";
    }
}
