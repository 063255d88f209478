import { closeSync, constants, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { EmulatorStartError } from "../errors";
import { identityOf, isRunning } from "../processes";

/** Locks a state file for this emulator and returns a function that unlocks it. */
export const lockStateFile = (stateFile: string): (() => void) =>
    process.platform === "win32" ? lockByOpening(stateFile) : lockByOwner(stateFile);

/** `UV_FS_O_EXLOCK` of libuv: on Windows, no other process can open the file until this one closes it or ends. */
const exclusive = 0x1000_0000;

function lockByOpening(stateFile: string): () => void {
    const lockFile = `${stateFile}.lock`;
    const lock = unlessTaken(lockFile, () => openSync(lockFile, constants.O_RDWR | constants.O_CREAT | exclusive));
    if (lock === undefined) {
        throw new EmulatorStartError(
            "state-locked",
            `State file ${stateFile} is in use by another emulator. Stop that emulator or choose another file.`,
        );
    }
    return () => {
        closeSync(lock);
        try {
            rmSync(lockFile, { force: true });
        } catch {
            // Another emulator has it already.
        }
    };
}

/** Elsewhere, the lock names its owner: a process that ends without unlocking leaves it. */
function lockByOwner(stateFile: string): () => void {
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
    const write = () => {
        writeFileSync(lockFile, identityOf(process.pid) ?? "", { flag: "wx", mode: 0o600 });
        return true;
    };
    return unlessTaken(lockFile, write) ?? false;
}

/** Undefined if another emulator has the lock. */
function unlessTaken<Result>(lockFile: string, take: () => Result): Result | undefined {
    try {
        return take();
    } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === "EEXIST" || code === "EBUSY") {
            return undefined;
        }
        throw new EmulatorStartError("state-unusable", `Cannot write ${lockFile}: ${message}`, { cause: error });
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
