/** The archives of the plugin. */
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { create } from "tar";

/** Writes all files of a folder to an archive. Without dates and owners, the same files result in the same bytes. */
export async function pack(folder, file) {
    await create({ cwd: folder, file, gzip: true, portable: true, noMtime: true }, filesIn(folder));
}

/** The paths of all files from the folder, in a fixed order. */
export function filesIn(folder) {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
        .sort();
}
