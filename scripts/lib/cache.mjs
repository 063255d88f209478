/** The folder for downloads and builds of this repository. */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { withLock } from "../engine/lock.mjs";

/** The XDG specification requires that a relative path is ignored. */
export function cached(...path) {
    const { XDG_CACHE_HOME: xdg } = process.env;
    return join(xdg && isAbsolute(xdg) ? xdg : join(homedir(), ".cache"), "pulumi-clouddb", ...path);
}

/**
 * Fills a folder, unless it exists. Does so in a temporary folder first, so that the folder is complete or absent.
 * Concurrent calls in several processes wait for the first one.
 */
export async function ensureFolder(folder, fill) {
    if (existsSync(folder)) {
        return;
    }
    mkdirSync(dirname(folder), { recursive: true });
    await withLock(`${folder}.lock`, `fills ${folder}`, async () => {
        if (existsSync(folder)) {
            return;
        }
        const stage = `${folder}.tmp`;
        // Of an earlier process that was killed.
        remove(stage);
        mkdirSync(stage);
        try {
            await fill(stage);
            renameSync(stage, folder);
        } finally {
            remove(stage);
        }
    });
}

const remove = (folder) => rmSync(folder, { recursive: true, force: true });
