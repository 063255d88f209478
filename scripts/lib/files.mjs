/** The files of this repository, and the temporary files of a script. Uses only built-in modules of Node. */
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { repositoryRoot } from "./repository.mjs";

export const read = (file, root = repositoryRoot) => readFileSync(join(root, file), "utf8");

export const readJson = (file, root) => JSON.parse(read(file, root));

/** The paths of all files from the folder, with `/` on each system, in a fixed order. */
export function filesBelow(folder) {
    if (!existsSync(folder)) {
        return [];
    }
    return readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)).replaceAll(sep, "/"))
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
