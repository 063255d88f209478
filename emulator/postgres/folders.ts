import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { identityOf, isRunning } from "../processes";
import { canEnter, type ServerUser } from "./user";
import { ownerFile } from "./watcher";

const runPrefix = "clouddb-postgres-";

/** The folder for temporary folders to which the user has access. */
function temporaryFolder(user: ServerUser): string {
    const found = [tmpdir(), "/var/tmp", "/tmp"].find((folder) => fs.existsSync(folder) && canEnter(user, folder));
    return fs.realpathSync(found ?? tmpdir());
}

/** Creates a folder that is removed when the emulator stops. */
export const makeRunFolder = (user: ServerUser): string =>
    owned(fs.mkdtempSync(join(temporaryFolder(user), runPrefix)), user);

/** The data folder in a folder of `makeRunFolder`. */
export const temporaryData = (runFolder: string): string => join(runFolder, "data");

/** Creates this folder. */
export function makeTemporaryData(runFolder: string, user: ServerUser): string {
    fs.mkdirSync(temporaryData(runFolder));
    return owned(temporaryData(runFolder), user);
}

/** Records that a folder belongs to this process. */
export const claim = (folder: string): void =>
    fs.writeFileSync(join(folder, ownerFile), identityOf(process.pid) ?? "", { mode: secretMode });

/** The folders of emulators that have ended without removing them. Each contains the name of its process, which has ended. */
export function abandonedFolders(user: ServerUser): string[] {
    const base = temporaryFolder(user);
    return fs
        .readdirSync(base)
        .filter((name) => name.startsWith(runPrefix))
        .map((name) => join(base, name))
        .filter((folder) => {
            const file = join(folder, ownerFile);
            try {
                const isOwn =
                    fs.lstatSync(file).uid === (process.getuid?.() ?? 0) && !fs.lstatSync(folder).isSymbolicLink();
                return isOwn && !isRunning(fs.readFileSync(file, "utf8"));
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
    if (fs.existsSync(path)) {
        return fs.realpathSync(path);
    }
    // Remove a link whose target no longer exists.
    fs.rmSync(path, { force: true });
    if (canEnter(user, fs.realpathSync(dirname(path)))) {
        fs.mkdirSync(path);
        return owned(fs.realpathSync(path), user);
    }
    const elsewhere = owned(fs.mkdtempSync("/var/tmp/clouddb-postgres-data-"), user);
    fs.symlinkSync(elsewhere, path);
    return elsewhere;
}

/** Removes the data folder of a state file. */
export function removeDataFolder(stateFile: string): void {
    const path = `${resolve(stateFile)}.postgres`;
    if (!fs.existsSync(path)) {
        return;
    }
    fs.rmSync(fs.realpathSync(path), { recursive: true, force: true });
    fs.rmSync(path, { force: true });
}

const ownerOnly = 0o700;
const secretMode = 0o600;

function owned(folder: string, { uid, gid }: ServerUser): string {
    fs.chmodSync(folder, ownerOnly);
    if (uid !== undefined && gid !== undefined) {
        fs.chownSync(folder, uid, gid);
    }
    return folder;
}
