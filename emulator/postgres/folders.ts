import {
    chmodSync,
    chownSync,
    existsSync,
    lstatSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    realpathSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { identityOf, isRunning } from "../processes";
import { canEnter, type ServerUser } from "./user";
import { ownerFile } from "./watcher";

const runPrefix = "clouddb-postgres-";

/** The folder for temporary folders to which the user has access. */
function temporaryFolder(user: ServerUser): string {
    const found = [tmpdir(), "/var/tmp", "/tmp"].find((folder) => existsSync(folder) && canEnter(user, folder));
    return realpathSync(found ?? tmpdir());
}

/** Creates a folder that is removed when the emulator stops. */
export const makeRunFolder = (user: ServerUser): string =>
    owned(mkdtempSync(join(temporaryFolder(user), runPrefix)), user);

/** The data folder in a folder of `makeRunFolder`. */
export const temporaryData = (runFolder: string): string => join(runFolder, "data");

/** Records that a folder belongs to this process. */
export const claim = (folder: string): void =>
    writeFileSync(join(folder, ownerFile), identityOf(process.pid) ?? "", { mode: secretMode });

/** The folders of emulators that have ended without removing them. Each contains the name of its process, which has ended. */
export function abandonedFolders(user: ServerUser): string[] {
    const base = temporaryFolder(user);
    return readdirSync(base)
        .filter((name) => name.startsWith(runPrefix))
        .map((name) => join(base, name))
        .filter((folder) => {
            const file = join(folder, ownerFile);
            try {
                const isOwn = lstatSync(file).uid === (process.getuid?.() ?? 0) && !lstatSync(folder).isSymbolicLink();
                return isOwn && !isRunning(readFileSync(file, "utf8"));
            } catch {
                return false;
            }
        });
}

/**
 * The folder next to a state file that contains the data of the servers. If the user of the servers has no access there, which
 * can happen when root runs the emulator, it is a link to another folder.
 */
export function dataFolder(stateFile: string, user: ServerUser): string {
    const path = `${resolve(stateFile)}.postgres`;
    if (existsSync(path)) {
        return realpathSync(path);
    }
    // Remove a link whose target no longer exists.
    rmSync(path, { force: true });
    if (canEnter(user, realpathSync(dirname(path)))) {
        mkdirSync(path);
        return owned(realpathSync(path), user);
    }
    const elsewhere = owned(mkdtempSync("/var/tmp/clouddb-postgres-data-"), user);
    symlinkSync(elsewhere, path);
    return elsewhere;
}

/** Removes the data folder of a state file. */
export function removeDataFolder(stateFile: string): void {
    const path = `${resolve(stateFile)}.postgres`;
    if (!existsSync(path)) {
        return;
    }
    rmSync(realpathSync(path), { recursive: true, force: true });
    rmSync(path, { force: true });
}

const ownerOnly = 0o700;
const secretMode = 0o600;

function owned(folder: string, { uid, gid }: ServerUser): string {
    chmodSync(folder, ownerOnly);
    if (uid !== undefined && gid !== undefined) {
        chownSync(folder, uid, gid);
    }
    return folder;
}
