import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { EmulatorStartError } from "../errors";
import { identityOf } from "../processes";

/** The locks of this process. A lock file with its pid may also be from an earlier process with the same pid. */
const held = new Set<string>();

/** Locks a state file for this emulator and returns a function that unlocks it. */
export function lockStateFile(stateFile: string): () => void {
    const lockFile = `${stateFile}.lock`;
    if (!tryLock(lockFile)) {
        const owner = ownerOf(lockFile);
        if (owner !== undefined && isAlive(owner, lockFile)) {
            throw new EmulatorStartError(
                "state-locked",
                `State file ${stateFile} is in use by another emulator (process ${owner}). Stop that emulator or choose another file.`,
            );
        }
        // The owner ended without unlocking the file.
        clearAway(lockFile, owner);
        if (!tryLock(lockFile)) {
            throw new EmulatorStartError(
                "state-locked",
                `State file ${stateFile} was locked by another emulator at the same time. Choose another file.`,
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
        if ((error as NodeJS.ErrnoException).code === "EEXIST") {
            return false;
        }
        throw new EmulatorStartError("state-unusable", `Cannot write ${lockFile}: ${(error as Error).message}`, {
            cause: error,
        });
    }
}

/** Removes the lock of a dead owner. Restores the lock if another emulator has replaced it in the meantime. */
function clearAway(lockFile: string, owner: number | undefined): void {
    const aside = `${lockFile}.${process.pid}`;
    try {
        renameSync(lockFile, aside);
    } catch {
        return;
    }
    if (ownerOf(aside) === owner) {
        rmSync(aside);
    } else {
        renameSync(aside, lockFile);
    }
}

function ownerOf(lockFile: string): number | undefined {
    try {
        const pid = Number(readFileSync(lockFile, "utf8"));
        return Number.isInteger(pid) && pid > 0 ? pid : undefined;
    } catch {
        return undefined;
    }
}

function isAlive(pid: number, lockFile: string): boolean {
    if (pid === process.pid) {
        return held.has(lockFile);
    }
    return identityOf(pid) !== undefined;
}
