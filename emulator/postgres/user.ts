import { readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname } from "node:path";
import { EmulatorStartError } from "../errors";

/** The user of the servers. Empty if it is the user of this process. */
export interface ServerUser {
    uid?: number;
    gid?: number;
}

const nobody = 65_534;

/** PostgreSQL does not run as root, so the servers of root run as nobody. */
export function serverUser(): ServerUser {
    if (process.getuid?.() !== 0) {
        checkAccount();
        return {};
    }
    const [, uid = nobody, gid = nobody] =
        /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8")) ?? [];
    return { uid: Number(uid), gid: Number(gid) };
}

/** PostgreSQL requires a user name, which an arbitrary user id in a container may not have. */
function checkAccount(): void {
    try {
        userInfo();
    } catch (cause) {
        const uid = process.getuid?.() ?? "";
        throw new EmulatorStartError(
            "postgres-failed",
            `PostgreSQL cannot run as user ${uid}, which has no entry in /etc/passwd. Run as another user, or add one: echo "app:x:${uid}:${uid}::/tmp:/bin/sh" >> /etc/passwd`,
            { cause },
        );
    }
}

const othersMayEnter = 0o001;

/** Whether the user has access to a folder: all users can enter it and its parent folders. */
export function canEnter({ uid }: ServerUser, folder: string): boolean {
    if (uid === undefined) {
        return true;
    }
    for (let path = folder; ; path = dirname(path)) {
        const { mode, uid: owner } = statSync(path);
        if (owner !== uid && (mode & othersMayEnter) === 0) {
            return false;
        }
        if (path === dirname(path)) {
            return true;
        }
    }
}
