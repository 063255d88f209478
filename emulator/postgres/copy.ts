import { constants } from "node:fs";
import { chmod, chown, copyFile, lstat, mkdir, readdir, readlink, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServerUser } from "./user";

const atOnce = 32;
const defaultFolderMode = 0o700;

export interface CopyOptions {
    user?: ServerUser;
    /** Whether to leave out a path, relative to the folder. */
    skip?: (path: string) => boolean;
    /** The mode of the folders. Default: access only for the owner, as PostgreSQL requires. */
    folderMode?: number;
}

/** Copies a folder in which files may be created and deleted at the same time. */
export async function copyFolder(from: string, to: string, options: CopyOptions = {}): Promise<void> {
    const { user = {}, skip = () => false, folderMode = defaultFolderMode } = options;
    const files: string[] = [];
    const folders = async (path: string): Promise<void> => {
        await mkdir(join(to, path), { recursive: true });
        await chmod(join(to, path), folderMode);
        await own(join(to, path), user);
        for (const entry of await unlessGone(readdir(join(from, path), { withFileTypes: true }), [])) {
            const inner = join(path, entry.name);
            if (skip(inner)) {
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
            await copyOne(join(from, file), join(to, file), user);
        }
    };
    await Promise.all(Array.from({ length: atOnce }, copyNext));
}

/** Copies a file or a link. The copy shares blocks if the file system supports it. */
export async function copyOne(from: string, to: string, user: ServerUser = {}): Promise<void> {
    const stat = await unlessGone(lstat(from), undefined);
    if (!stat) {
        return;
    }
    if (stat.isSymbolicLink()) {
        return symlink(await readlink(from), to);
    }
    const isCopied = await unlessGone(
        copyFile(from, to, constants.COPYFILE_FICLONE).then(() => true),
        false,
    );
    if (isCopied) {
        await own(to, user);
    }
}

export async function own(path: string, { uid, gid }: ServerUser): Promise<void> {
    if (uid !== undefined && gid !== undefined) {
        await chown(path, uid, gid);
    }
}

/** Writes a file that only the user can read. */
export async function writeOwned(path: string, text: string, user: ServerUser): Promise<void> {
    await writeFile(path, text, { mode: 0o600 });
    await own(path, user);
}

async function unlessGone<T, U>(work: Promise<T>, otherwise: U): Promise<T | U> {
    return work.catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") {
            return otherwise;
        }
        throw error;
    });
}
