import { rename } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { realClock } from "../clock";
import { backUp, copyStopped, copyWal } from "./backup";
import { copyFolder } from "./copy";
import { makeServerFolder, removeTree, writeInside } from "./inside";
import { replicationName, type Installation } from "./installation";
import { host } from "./ports";
import type { Query } from "./sql";

/** A database from whose data others are made. */
export interface Parent {
    readonly folder: string;
    readonly backupFolder: string;
    readonly port: number;
    readonly isSettled: boolean;
    readonly isRunning: boolean;
    settled(): Promise<void>;
    exclusively<T>(work: () => Promise<T>): Promise<T>;
    withSession<T>(work: (query: Query) => Promise<T>): Promise<T>;
}

/** The source of a new database's data. */
export type Origin =
    | { kind: "template" }
    // The parent may be deleted after the database was created.
    /** `point` is a time in milliseconds since 1970. Null: the current data. */
    | { kind: "fork"; parent: Parent | undefined; point: number | null }
    | { kind: "replica"; parent: Parent | undefined };

export const templateFolder = ({ data }: Installation): string => join(data, "template");

/** Creates the folder of a server atomically. */
export async function makeFolder(installation: Installation, origin: Origin, folder: string): Promise<void> {
    const unfinished = `${folder}.tmp`;
    const create = async (): Promise<void> => {
        await removeTree(unfinished);
        await makeServerFolder(unfinished, installation.user);
        await fill(installation, origin, unfinished);
    };
    await (origin.kind === "template" ? create() : withParent(parentOf(origin), create));
    await rename(unfinished, folder);
}

/** Runs work with exclusive use of the parent, so that it is not started, stopped or deleted in the meantime. */
async function withParent(parent: Parent, work: () => Promise<void>): Promise<void> {
    // If the servers start together, the parent starts first. Otherwise the copy precedes a deletion that follows at once.
    if (!parent.isSettled) {
        await parent.settled();
    }
    await parent.exclusively(work);
}

async function fill(installation: Installation, origin: Origin, folder: string): Promise<void> {
    const { user } = installation;
    if (origin.kind === "template") {
        return copyFolder(templateFolder(installation), folder, { user });
    }
    const parent = parentOf(origin);
    if (origin.kind === "fork" && origin.point !== null) {
        return restoreTo(installation, parent, origin.point, folder);
    }
    if (parent.isRunning) {
        await parent.withSession(async (query) => {
            const first = await backUp({ query, from: parent.folder, to: folder, user });
            await copyWal(parent.folder, folder, user, first);
        });
    } else {
        await copyStopped(parent.folder, folder, user);
    }
    if (origin.kind === "replica") {
        await follow(installation, parent.port, folder);
    }
}

function parentOf({ parent }: Exclude<Origin, { kind: "template" }>): Parent {
    if (!parent) {
        throw new Error("its parent database was deleted");
    }
    return parent;
}

/** Restores the first backup of the parent and its write-ahead log up to the point. */
async function restoreTo(installation: Installation, parent: Parent, point: number, folder: string): Promise<void> {
    const { user } = installation;
    while (realClock.now() <= point) {
        await sleep(1);
    }
    await parent.withSession(async (query) => {
        // The restore stops at the first transaction after the point, so create one.
        await query("SELECT pg_current_xact_id()");
        await query("SELECT pg_switch_wal()");
    });
    await copyFolder(parent.backupFolder, folder, { user });
    await copyWal(parent.folder, folder, user);
    await writeInside(user, join(folder, "recovery.signal"), "");
}

/** The password is in a file, because some roles can read settings. */
const passFile = "replication.pgpass";

async function follow({ passwordOf, user }: Installation, port: number, folder: string): Promise<void> {
    const connection = `host=${host} port=${port} user=${replicationName} passfile=${passFile}`;
    await writeInside(user, join(folder, passFile), `*:*:*:*:${passwordOf(replicationName)}\n`);
    await writeInside(user, join(folder, "postgresql.auto.conf"), `\nprimary_conninfo = '${connection}'\n`, "a");
    await writeInside(user, join(folder, "standby.signal"), "");
}

/** The settings of the start that restores to a point in time. */
export const recoverySettings = (point: number): Record<string, string> => ({
    recovery_target_time: `${new Date(point).toISOString().replace("T", " ").replace("Z", "")} UTC`,
    recovery_target_action: "promote",
    // All log files are already in the folder.
    restore_command: "exit 1",
    // The server must not appear ready until it is promoted.
    hot_standby: "off",
});
