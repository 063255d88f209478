import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { copyFolder } from "./copy";
import { writeInside } from "./inside";
import type { Query } from "./sql";
import type { ServerUser } from "./user";

export const walFolder = "pg_wal";
/** Contains a folder for each replication slot. */
export const slotFolder = "pg_replslot";

/** Folders whose content a copy does not need. */
const notCopied = /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans|log)[\\/]/;
const slots = /^pg_replslot[\\/]/;
const notCopiedFiles = /^(postmaster\.(pid|opts)|current_logfiles|standby\.signal|recovery\.signal|backup_label.*)$/;
const either = (...ones: RegExp[]): RegExp => new RegExp(ones.map(({ source }) => source).join("|"));

interface BackupOptions {
    query: Query;
    /** The folder of the running server. */
    from: string;
    to: string;
    user: ServerUser;
}

/** Copies the folder of a running server without the write-ahead log. Returns the first log file that the copy needs. */
export async function backUp({ query, from, to, user }: BackupOptions): Promise<string> {
    await query("SELECT pg_backup_start('emulator', fast := true)");
    await copyFolder(from, to, { user, skip: either(notCopied, notCopiedFiles) });
    const [stopped] = await query("SELECT labelfile FROM pg_backup_stop(wait_for_archive := false)");
    const label = String(stopped?.labelfile);
    const [, first] = /\(file ([0-9A-F]{24})\)/.exec(label) ?? [];
    if (first === undefined) {
        throw new Error(`The backup label of PostgreSQL does not name a log file: ${label}`);
    }
    await writeInside(user, join(to, "backup_label"), label);
    return first;
}

/** Copies the folder of a stopped server. */
export async function copyStopped(from: string, to: string, user: ServerUser): Promise<void> {
    if (!existsSync(from)) {
        throw new Error("the data of its parent database is missing");
    }
    await copyFolder(from, to, { user, skip: either(slots, notCopiedFiles) });
}

/** Copies the write-ahead log of a running server, beginning with the file `first`. Default: all files. */
export async function copyWal(from: string, to: string, user: ServerUser, first = ""): Promise<void> {
    const folder = join(from, walFolder);
    const wanted = (await readdir(folder)).filter((name) =>
        /^[0-9A-F]{24}$/.test(name) ? name >= first : /^[0-9A-F]{8}\.history$/.test(name),
    );
    await copyFolder(folder, join(to, walFolder), { user, skip: new RegExp(`^(?!(${wanted.join("|")})$)`) });
}
