import { statfs } from "node:fs/promises";

/** The minimum free space. With less, PostgreSQL fails with many different errors. */
const minFreeBytes = 32 * 1024 * 1024;

/** The reason of a failure. If the disk is full, it contains the remedy. */
export async function reasonOf(error: unknown, folder: string): Promise<string> {
    const { code, message } = error as NodeJS.ErrnoException;
    const free = await statfs(folder).then(
        ({ bavail, bsize }) => bavail * bsize,
        () => Infinity,
    );
    const isFull = code === "ENOSPC" || message.includes("No space left on device") || free < minFreeBytes;
    return isFull ? `the disk with ${folder} is full. Free some space` : message;
}
