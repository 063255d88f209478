import { statfs } from "node:fs/promises";

/** With less PostgreSQL cannot work; on a full disk it reports all kinds of consequences. */
const MIN_FREE_BYTES = 32 * 1024 * 1024;

/** Why something has failed, in words that say what to do where the disk is full. */
export async function reasonOf(error: unknown, folder: string): Promise<string> {
    const { code, message } = error as NodeJS.ErrnoException;
    const free = await statfs(folder).then(
        ({ bavail, bsize }) => bavail * bsize,
        () => Infinity,
    );
    const isFull = code === "ENOSPC" || message.includes("No space left on device") || free < MIN_FREE_BYTES;
    return isFull ? `the disk that holds ${folder} is full; free some space` : message;
}
