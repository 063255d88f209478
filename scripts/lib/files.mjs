/** The files of this repository, and the temporary files of a script. Uses only built-in modules of Node. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { repositoryRoot } from "./repository.mjs";

export const read = (file, root = repositoryRoot) => readFileSync(join(root, file), "utf8");

export const readJson = (file, root) => JSON.parse(read(file, root));

/** The paths of all files from the folder, in a fixed order. */
export function filesBelow(folder) {
    if (!existsSync(folder)) {
        return [];
    }
    return readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
        .sort();
}

/** Passes a new folder to the work, and removes it at its end. */
export async function inNewFolder(work, parent = tmpdir()) {
    const folder = mkdtempSync(join(parent, "clouddb-"));
    try {
        return await work(folder);
    } finally {
        // A process that is about to end can still write to it.
        await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
}

/**
 * Fills a folder, or another one in its place. Does so in a temporary folder first, so that the folder is either complete or
 * absent. The caller has a lock.
 */
export async function replaceFolder(folder, fill) {
    const stage = `${folder}.tmp`;
    // Of an earlier process that was killed.
    remove(stage);
    mkdirSync(stage);
    try {
        await fill(stage);
        remove(folder);
        renameSync(stage, folder);
    } finally {
        remove(stage);
    }
}

const remove = (folder) => rmSync(folder, { recursive: true, force: true });
