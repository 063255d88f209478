import { runAs } from "./inside";
import type { ServerUser } from "./user";

export interface CopyOptions {
    user?: ServerUser;
    /** Paths to leave out, relative to the folder. */
    skip?: RegExp;
    /** The mode of the folders. Default: access only for the owner, as PostgreSQL requires. */
    folderMode?: number;
}

interface Copy {
    from: string;
    to: string;
    skip: string | undefined;
    folderMode: number;
}

const ownerOnly = 0o700;

/** Copies a folder in which files may be created and deleted at the same time. */
export const copyFolder = (
    from: string,
    to: string,
    { user = {}, skip, folderMode = ownerOnly }: CopyOptions = {},
): Promise<void> => runAs<Copy>(user, copyTree, { from, to, skip: skip?.source, folderMode });

/** Self-contained, because it also runs in a process of the user. */
async function copyTree({ from, to, skip, folderMode }: Copy): Promise<void> {
    const { constants, promises } = process.getBuiltinModule("node:fs");
    const paths = process.getBuiltinModule("node:path");
    const atOnce = 32;
    const skipped = skip === undefined ? undefined : new RegExp(skip);
    const unlessGone = async <T>(work: Promise<T>): Promise<T | undefined> =>
        work.catch((error: unknown) => {
            if ((error as NodeJS.ErrnoException).code === "ENOENT") {
                return undefined;
            }
            throw error;
        });
    const files: string[] = [];
    const folders = async (path: string): Promise<void> => {
        await promises.mkdir(paths.join(to, path), { recursive: true });
        await promises.chmod(paths.join(to, path), folderMode);
        for (const entry of (await unlessGone(promises.readdir(paths.join(from, path), { withFileTypes: true }))) ??
            []) {
            const inner = paths.join(path, entry.name);
            if (skipped?.test(inner)) {
                continue;
            }
            if (entry.isDirectory()) {
                await folders(inner);
            } else {
                files.push(inner);
            }
        }
    };
    await folders("");
    const copyNext = async (): Promise<void> => {
        for (let file = files.pop(); file !== undefined; file = files.pop()) {
            const [source, target] = [paths.join(from, file), paths.join(to, file)];
            if ((await unlessGone(promises.lstat(source)))?.isSymbolicLink()) {
                await promises.symlink(await promises.readlink(source), target);
            } else {
                // The copy shares blocks if the file system supports it.
                await unlessGone(promises.copyFile(source, target, constants.COPYFILE_FICLONE));
            }
        }
    };
    await Promise.all(Array.from({ length: atOnce }, copyNext));
}
