import {
    chmodSync,
    chownSync,
    existsSync,
    lstatSync,
    mkdirSync,
    mkdtempSync,
    realpathSync,
    rmSync,
    symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { canEnter } from "./user";
import type { ServerUser } from "./user";

/** A new folder that is removed when the emulator ends. */
export function makeRunFolder(user: ServerUser): string {
    const base = [tmpdir(), "/var/tmp", "/tmp"].find((folder) => existsSync(folder) && canEnter(user, folder));
    return owned(mkdtempSync(join(realpathSync(base ?? tmpdir()), "clouddb-postgres-")), user);
}

/**
 * The folder beside a state file with the data of the servers. Where the user of the servers may not enter that place, which
 * happens to root, it is a link to one that it may enter.
 */
export function dataFolder(stateFile: string, user: ServerUser): string {
    const path = `${resolve(stateFile)}.postgres`;
    if (existsSync(path)) return realpathSync(path);
    // A link to a folder that somebody has removed.
    rmSync(path, { force: true });
    if (canEnter(user, realpathSync(dirname(path)))) {
        mkdirSync(path);
        return owned(realpathSync(path), user);
    }
    const elsewhere = owned(mkdtempSync("/var/tmp/clouddb-postgres-data-"), user);
    symlinkSync(elsewhere, path);
    return elsewhere;
}

/** Removes the folder beside a state file if no database is left in it. */
export function removeDataFolder(stateFile: string): void {
    const path = `${resolve(stateFile)}.postgres`;
    if (!existsSync(path)) return;
    const folder = realpathSync(path);
    rmSync(folder, { recursive: true, force: true });
    if (lstatSync(path, { throwIfNoEntry: false })) rmSync(path);
}

const OWNER_ONLY = 0o700;

function owned(folder: string, { uid, gid }: ServerUser): string {
    chmodSync(folder, OWNER_ONLY);
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    return folder;
}
