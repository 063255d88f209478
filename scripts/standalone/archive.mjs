/** The archives of the plugin. */
import { create } from "tar";
import { filesBelow } from "../lib/files.mjs";

/** Writes all files of a folder to an archive. Without dates and owners, the same files result in the same bytes. */
export async function pack(folder, file) {
    await create({ cwd: folder, file, gzip: true, portable: true, noMtime: true }, filesBelow(folder));
}
