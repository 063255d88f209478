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

/** Creates a folder that is removed when the emulator stops. */
export function makeRunFolder(user: ServerUser): string {
    const base = [tmpdir(), "/var/tmp", "/tmp"].find((folder) => existsSync(folder) && canEnter(user, folder));
    return owned(mkdtempSync(join(realpathSync(base ?? tmpdir()), "clouddb-postgres-")), user);
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
    const folder = realpathSync(path);
    rmSync(folder, { recursive: true, force: true });
    if (lstatSync(path, { throwIfNoEntry: false })) {
        rmSync(path);
    }
}

const ownerOnly = 0o700;

function owned(folder: string, { uid, gid }: ServerUser): string {
    chmodSync(folder, ownerOnly);
    if (uid !== undefined && gid !== undefined) {
        chownSync(folder, uid, gid);
    }
    return folder;
}
