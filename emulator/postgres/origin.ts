import { appendFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { backUp, copyStopped, copyWal } from "./backup";
import { copyFolder, own } from "./copy";
import type { Database } from "./database";
import { SUPERUSER } from "./installation";
import type { Installation } from "./installation";
import { HOST } from "./ports";

/** Where the data of a new database comes from. */
export type Origin =
    | { kind: "template" }
    // The parent may be gone when the database is there.
    /** As of a time in milliseconds since 1970; null: as of now. */
    | { kind: "fork"; parent: Database | undefined; point: number | null }
    | { kind: "replica"; parent: Database | undefined };

export const templateFolder = ({ data }: Installation): string => join(data, "template");

/** Makes a folder from which a server can start: whole, or not at all. */
export async function makeFolder(installation: Installation, origin: Origin, folder: string): Promise<void> {
    const unfinished = `${folder}.tmp`;
    const make = async (): Promise<void> => {
        await rm(unfinished, { recursive: true, force: true });
        await fill(installation, origin, unfinished);
    };
    await (origin.kind === "template" ? make() : besides(parentOf(origin), make));
    await rename(unfinished, folder);
}

/** Runs while the parent is neither started, stopped nor deleted, whatever is requested. */
async function besides(parent: Database, make: () => Promise<void>): Promise<void> {
    // Where servers start together, that of the parent comes first. A parent that is at rest is used at once.
    if (!parent.isSettled) await parent.want(parent.wanted);
    await parent.exclusively(make);
}

async function fill(installation: Installation, origin: Origin, folder: string): Promise<void> {
    const { user } = installation;
    if (origin.kind === "template") return copyFolder(templateFolder(installation), folder, { user });
    const parent = parentOf(origin);
    if (origin.kind === "fork" && origin.point !== null) return restoreTo(installation, parent, origin.point, folder);
    if (parent.isRunning) {
        await parent.withSession(async (query) => {
            const first = await backUp({ query, from: parent.folder, to: folder, user });
            await copyWal(parent.folder, folder, user, first);
        });
    } else {
        await copyStopped(parent.folder, folder, user);
    }
    if (origin.kind === "replica") await follow(installation, parent.port, folder);
}

function parentOf({ parent }: Exclude<Origin, { kind: "template" }>): Database {
    if (!parent) throw new Error("the database from which it gets its data is gone");
    return parent;
}

/** The parent's first backup, and all that it has written since. */
async function restoreTo(installation: Installation, parent: Database, point: number, folder: string): Promise<void> {
    const { user } = installation;
    while (Date.now() <= point) await sleep(1);
    await parent.withSession(async (query) => {
        // The restore stops at the first transaction after the point, so there must be one.
        await query("SELECT pg_current_xact_id()");
        await query("SELECT pg_switch_wal()");
    });
    await copyFolder(parent.backupFolder, folder, { user });
    await copyWal(parent.folder, folder, user);
    await mark(join(folder, "recovery.signal"), installation);
}

async function follow(installation: Installation, port: number, folder: string): Promise<void> {
    const connection = `host=${HOST} port=${port} user=${SUPERUSER} password=${installation.superuserPassword}`;
    await appendFile(join(folder, "postgresql.auto.conf"), `\nprimary_conninfo = '${connection}'\n`);
    await mark(join(folder, "standby.signal"), installation);
}

async function mark(file: string, { user }: Installation): Promise<void> {
    await writeFile(file, "");
    await own(file, user);
}

/** Settings of the start that restores to a point. */
export const recoverySettings = (point: number): Record<string, string> => ({
    recovery_target_time: `${new Date(point).toISOString().replace("T", " ").replace("Z", "")} UTC`,
    recovery_target_action: "promote",
    // All that is needed is there already.
    restore_command: "exit 1",
    // Until it is promoted it must not look ready.
    hot_standby: "off",
});
