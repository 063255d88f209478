import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { EmulatorStartError } from "../errors";
import { identityOf, isRunning } from "../processes";

/** Locks a state file for this emulator and returns a function that unlocks it. */
export function lockStateFile(stateFile: string): () => void {
    const lockFile = `${stateFile}.lock`;
    if (!tryLock(lockFile)) {
        const owner = ownerOf(lockFile);
        if (isRunning(owner)) {
            throw new EmulatorStartError(
                "state-locked",
                `State file ${stateFile} is in use by another emulator (process ${Number.parseInt(owner, 10)}). Stop that emulator or choose another file. If that process is not an emulator, delete ${lockFile}.`,
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
    return () => rmSync(lockFile, { force: true });
}

function tryLock(lockFile: string): boolean {
    try {
        writeFileSync(lockFile, identityOf(process.pid) ?? "", { flag: "wx", mode: 0o600 });
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
function clearAway(lockFile: string, owner: string): void {
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

/** The identity of the process that has the lock. Empty if it is unknown. */
function ownerOf(lockFile: string): string {
    try {
        return readFileSync(lockFile, "utf8");
    } catch {
        return "";
    }
}
