import { chown, mkdir, writeFile } from "node:fs/promises";
import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { must, run } from "./process";
import type { ServerUser } from "./user";

// What is done in the folders of servers. If root runs the emulator, they belong to another user, whose processes may put links
// there. Therefore, only processes of that user write in them, and root reads only files of that user.

/** Creates a folder for the user of the servers, in a folder that only this process can change. */
export async function makeServerFolder(path: string, { uid, gid }: ServerUser): Promise<void> {
    await mkdir(path, { mode: 0o700 });
    if (uid !== undefined && gid !== undefined) {
        await chown(path, uid, gid);
    }
}

/** Runs a self-contained function with options that are not secret, if necessary in a process of the user. */
export async function runAs<T>(user: ServerUser, work: (options: T) => Promise<void>, options: T): Promise<void> {
    if (user.uid === undefined) {
        return work(options);
    }
    const fail = "({ message }) => { process.stderr.write(message); process.exitCode = 1; }";
    const script = `(${work.toString()})(${JSON.stringify(options)}).catch(${fail});`;
    // The user may have no access to the folder of Node.js.
    const self = "/proc/self/exe";
    await must(run(existsSync(self) ? self : process.execPath, ["-e", script], { user, cwd: "/" }));
}

/** Writes a file that only the user of the servers can read. */
export async function writeInside(user: ServerUser, file: string, text: string, flag: "a" | "w" = "w"): Promise<void> {
    if (user.uid === undefined) {
        return writeFile(file, text, { mode: 0o600, flag });
    }
    const script = `umask 077; cat ${flag === "a" ? ">>" : ">"} "$1"`;
    await must(run("/bin/sh", ["-c", script, "sh", file], { user, cwd: "/", input: text }));
}

const maxBytes = 8 * 1024 * 1024;

/** Reads a file of the user of the servers, or the end of a long one. Empty if there is none. */
export function readInside({ uid }: ServerUser, file: string): string {
    let descriptor: number;
    try {
        // Without waiting for the other end of a pipe.
        descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch {
        return "";
    }
    try {
        const stats = fstatSync(descriptor);
        const size = stats.isFile() && (uid === undefined || stats.uid === uid) ? stats.size : 0;
        const buffer = Buffer.alloc(Math.min(size, maxBytes));
        const length = readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
        return buffer.toString("utf8", 0, length);
    } finally {
        closeSync(descriptor);
    }
}

/**
 * Removes a file or folder. A folder of another user is emptied by a process of that user. Self-contained, because it also runs
 * in the watcher.
 */
export async function removeTree(path: string): Promise<void> {
    const { lstat, readdir, rm, rmdir } = process.getBuiltinModule("node:fs").promises;
    const { spawn } = process.getBuiltinModule("node:child_process");
    const isRoot = process.getuid?.() === 0;
    const remove = async (one: string): Promise<void> => {
        const stats = isRoot ? await lstat(one).catch(() => undefined) : undefined;
        if (!stats?.isDirectory()) {
            return rm(one, { recursive: !isRoot, force: true, maxRetries: 5 });
        }
        const { uid, gid } = stats;
        if (uid === 0) {
            await Promise.all((await readdir(one)).map((name) => remove(`${one}/${name}`)));
        } else {
            const options = { uid, gid, cwd: "/", env: { PATH: process.env.PATH }, stdio: "ignore" } as const;
            // It cannot remove the folder itself, so it fails.
            await new Promise((resolve) =>
                spawn("rm", ["-rf", one], options).once("error", resolve).once("close", resolve),
            );
        }
        // Another emulator may have removed it.
        await rmdir(one).catch(() => rm(one, { force: true }));
    };
    await remove(path);
}
