/** The programs on PATH. Uses only built-in modules of Node. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Without empty entries. */
export const foldersOnPath = () => (process.env.PATH ?? "").split(delimiter).filter(Boolean);

/** The folder of a program in one of the folders, by default those on PATH. */
export const folderWith = (program, folders = foldersOnPath()) =>
    folders.find((folder) => endings.some((ending) => isProgram(join(folder, `${program}${ending}`))));

const endings = process.platform === "win32" ? [".exe", ".cmd"] : [""];

function isProgram(file) {
    try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
    } catch {
        return false;
    }
}
