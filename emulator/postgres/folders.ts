import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { EmulatorStartError } from "../errors";
import { identityOf, isRunning } from "../processes";
import { removeTree } from "./inside";
import { canEnter, type ServerUser } from "./user";
import { ownerFile } from "./watcher";

const runPrefix = "clouddb-postgres-";

/** The file in the data folder from which the passwords of the emulator's roles follow. */
export const secretFile = "secret";

/** The folder for temporary folders to which the user has access. */
function temporaryFolder(user: ServerUser): string {
    const found = [tmpdir(), "/var/tmp", "/tmp"].find((folder) => fs.existsSync(folder) && canEnter(user, folder));
    return fs.realpathSync(found ?? tmpdir());
}

/** Creates a folder that is removed when the emulator stops. */
export const makeRunFolder = (user: ServerUser): string =>
    letThrough(fs.mkdtempSync(join(temporaryFolder(user), runPrefix)), user);

/** The data folder in a folder of `makeRunFolder`. */
export const temporaryData = (runFolder: string): string => join(runFolder, "data");

/** Creates this folder. */
export function makeTemporaryData(runFolder: string, user: ServerUser): string {
    fs.mkdirSync(temporaryData(runFolder));
    return letThrough(temporaryData(runFolder), user);
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
                return isOurs(folder) && isOurs(file) && !isRunning(fs.readFileSync(file, "utf8"));
            } catch {
                return false;
            }
        });
}

const othersMayWrite = 0o022;

/** Whether a file, a folder or a link belongs to the user of this process, and nobody else may change it. */
function isOurs(path: string): boolean {
    const stats = fs.lstatSync(path);
    const isOpen = !stats.isSymbolicLink() && (stats.mode & othersMayWrite) !== 0;
    return process.getuid === undefined || (stats.uid === process.getuid() && !isOpen);
}

/**
 * The folder next to a state file that contains the data of the servers. If the user of the servers has no access there, which
 * can happen when root runs the emulator, it is a link to another folder.
 */
export function dataFolder(stateFile: string, user: ServerUser): string {
    const path = pathOf(stateFile);
    if (fs.existsSync(path)) {
        const folder = fs.realpathSync(path);
        const isEarlier = fs.existsSync(join(folder, "template")) && !fs.existsSync(join(folder, secretFile));
        if (isEarlier || ![path, folder].every(isOurs)) {
            const both = [...new Set([path, folder])].join(" ");
            const message = `The folder ${path} was made by another user or by an earlier version of the emulator. Choose another state file, or remove the folder, after which the databases start empty: rm -r ${both}`;
            throw new EmulatorStartError("postgres-failed", message);
        }
        return folder;
    }
    // Remove a link whose target no longer exists.
    fs.rmSync(path, { force: true });
    if (canEnter(user, fs.realpathSync(dirname(path)))) {
        fs.mkdirSync(path);
        return letThrough(fs.realpathSync(path), user);
    }
    const elsewhere = letThrough(fs.mkdtempSync("/var/tmp/clouddb-postgres-data-"), user);
    fs.symlinkSync(elsewhere, path);
    return elsewhere;
}

/** Removes the data folder of a state file. */
export async function removeDataFolder(stateFile: string): Promise<void> {
    const path = pathOf(stateFile);
    if (fs.existsSync(path)) {
        await removeTree(fs.realpathSync(path));
        await removeTree(path);
    }
}

const pathOf = (stateFile: string): string => `${resolve(stateFile)}.postgres`;

const ownerOnly = 0o700;
const othersMayEnter = 0o711;
const secretMode = 0o600;

/** Another user of the servers may enter the folder, to get to its own folders, but not list or change it. */
function letThrough(folder: string, { uid }: ServerUser): string {
    fs.chmodSync(folder, uid === undefined ? ownerOnly : othersMayEnter);
    return folder;
}
