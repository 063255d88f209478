import { existsSync, readdirSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { poolerPortOf } from "../world/endpoints";
import { backUp, slotFolder, walFolder } from "./backup";
import { roleName } from "../world/roles";
import { makeServerFolder, removeTree } from "./inside";
import { superuserName, type Installation } from "./installation";
import { makeFolder, recoverySettings, templateFolder, type Origin } from "./origin";
import { openPooler, type Pooler } from "./pooler";
import { isFree } from "./ports";
import { reasonOf } from "./reason";
import { readServerLog } from "./serverLog";
import { Server } from "./server";
import { withSession, type Query } from "./sql";
import type { LogLine } from "../world/state";

/** The desired state of a database. */
export interface Wanted {
    /** `gone` means stopped and removed. */
    state: "running" | "stopped" | "gone";
    /** A change restarts the server. */
    size: string;
    /** The password verifier of the role. Undefined: unchanged. */
    scram: string | undefined;
    pooler: boolean;
}

/** The callbacks of a database. */
export interface DatabaseEvents {
    /** The name for messages, such as `service abc`. */
    name: string;
    /** Chooses another port for a new database whose port, or that of its pooler, is in use. */
    choosePort: () => number;
    /** Reports why the database cannot reach the desired state. Undefined when the failure is over. */
    onFailure: (reason: string | undefined) => void;
    /** Reports that the server has stored the password with this verifier. */
    onPassword: (scram: string) => void;
    /** Reports a backup: the database can be restored to any time from now on. */
    onBackup: () => void;
}

const retryMs = 1_000;
/** Above this number of log files, the database takes a new backup and releases the older files. */
const maxWalFiles = 256;
/** The replication slot that keeps the write-ahead log since the backup. */
const slot = "clouddb_backup";

/** A PostgreSQL server with its data and its pooler. It approaches the desired state in the background, one step at a time. */
export class Database {
    wanted: Wanted = { state: "running", size: "", scram: undefined, pooler: false };
    private server: Server | undefined;
    private pooler: Pooler | undefined;
    private size = "";
    private scram: string | undefined;
    isGone = false;
    private lastFailure: string | undefined;
    private failures = 0;
    private isClosing = false;
    private working: Promise<void> | undefined;
    /** The last exclusive use of the server and its files. */
    private last: Promise<unknown> = Promise.resolve();
    private reached = new Set<() => void>();

    constructor(
        private readonly installation: Installation,
        readonly folder: string,
        public port: number,
        private readonly origin: Origin,
        private readonly events: DatabaseEvents,
    ) {}

    /**
     * Whether it has reached the desired state, or has failed twice on the way to it: a single failure may be over at the next
     * attempt. A failure does not block later steps.
     */
    get isSettled(): boolean {
        return this.failures > 1 || this.isReached;
    }

    /** Whether its server runs. */
    get isRunning(): boolean {
        return this.server !== undefined;
    }

    /** The folder with the base backup of a restore. */
    get backupFolder(): string {
        return existsSync(this.ownBackup) ? this.ownBackup : templateFolder(this.installation);
    }

    get log(): LogLine[] {
        return readServerLog(this.folder, this.installation.user);
    }

    /** Sets the desired state. Resolves when it is settled. */
    want(wanted: Wanted): Promise<void> {
        this.wanted = wanted;
        this.work();
        return this.isSettled || this.isClosing
            ? Promise.resolve()
            : new Promise((resolve) => this.reached.add(resolve));
    }

    /** Resolves when it is settled. */
    settled(): Promise<void> {
        return this.want(this.wanted);
    }

    /** Stops the background work. The server keeps running. */
    async close(): Promise<void> {
        this.isClosing = true;
        this.notify();
        await this.working;
        await this.last.catch(() => undefined);
        await this.pooler?.close();
    }

    /** Runs work with exclusive use of the server and its files, in the order of the calls. */
    exclusively<T>(work: () => Promise<T>): Promise<T> {
        const result = this.last.then(work, work);
        this.last = result.catch(() => undefined);
        return result;
    }

    withSession<T>(work: (query: Query) => Promise<T>): Promise<T> {
        return withSession({ port: this.port, password: this.installation.passwordOf(superuserName) }, work);
    }

    /** Takes a new backup if there are too many log files since the last one. */
    async renewBackup(): Promise<void> {
        const folder = join(this.folder, walFolder);
        const isDue = (): boolean =>
            this.server !== undefined &&
            this.origin.kind !== "replica" &&
            existsSync(folder) &&
            readdirSync(folder).length > maxWalFiles;
        if (!isDue()) {
            return;
        }
        await this.exclusively(async () => {
            if (isDue()) {
                await this.takeBackup();
            }
        });
    }

    private get ownBackup(): string {
        return `${this.folder}.backup`;
    }

    /** A copy keeps the log since its first backup. */
    private get keepsLog(): boolean {
        return this.origin.kind !== "template" || existsSync(join(this.folder, slotFolder, slot));
    }

    /** The next step towards the desired state, with exclusive use of the server and its files. Undefined if it is reached. */
    private get step(): (() => Promise<void>) | undefined {
        const { state, size, scram, pooler } = this.wanted;
        if (state === "gone") {
            return this.isGone ? undefined : () => this.remove();
        }
        if (state === "stopped") {
            return this.server ? () => this.stop() : undefined;
        }
        if (!this.server || this.size !== size) {
            return () => this.restart(size);
        }
        if (!this.keepsLog) {
            return () => this.withSession(keepLogFromNow);
        }
        if (scram !== undefined && this.scram !== scram) {
            return () => this.setPassword(scram);
        }
        if (this.origin.kind === "fork" && !existsSync(this.ownBackup)) {
            return () => this.takeBackup();
        }
        if (pooler === (this.pooler !== undefined)) {
            return undefined;
        }
        return pooler ? () => this.openPooler() : () => this.closePooler();
    }

    /** Whether its folder is still to be made. */
    private get isMissing(): boolean {
        return this.wanted.state !== "gone" && !existsSync(this.folder);
    }

    private get isReached(): boolean {
        return !this.isMissing && this.step === undefined;
    }

    private hasWork(): boolean {
        return !this.isClosing && !this.isReached;
    }

    private work(): void {
        if (this.working !== undefined || this.isClosing) {
            return;
        }
        this.working = this.steps().finally(() => {
            this.working = undefined;
            // The desired state may have changed in the meantime.
            if (this.hasWork()) {
                this.work();
            } else {
                this.notify();
            }
        });
    }

    private async steps(): Promise<void> {
        while (this.hasWork()) {
            try {
                // Reserve the parent before the first wait, so that later steps of the parent run after the copy.
                if (this.isMissing) {
                    await makeFolder(this.installation, this.origin, this.folder);
                }
                await this.exclusively(async () => {
                    if (!this.isClosing) {
                        await this.step?.();
                    }
                });
                if (this.isReached) {
                    this.failures = 0;
                }
                this.fail(undefined);
            } catch (error) {
                if (this.isClosing) {
                    return;
                }
                this.failures += 1;
                this.fail(await reasonOf(error, this.installation.data));
                if (this.isSettled) {
                    this.notify();
                }
                await sleep(retryMs, undefined, { ref: false });
            }
        }
    }

    /** Starts the server, which ends first if it has another size. The pooler stays. */
    private async restart(size: string): Promise<void> {
        await this.stop(false);
        const { folder, installation, origin } = this;
        const isNew = !existsSync(join(folder, "postmaster.opts"));
        while (isNew && !((await isFree(this.port)) && (await isFree(poolerPortOf(this.port))))) {
            this.port = this.events.choosePort();
        }
        const isRestored = existsSync(join(folder, "recovery.signal"));
        const point = isRestored && origin.kind === "fork" ? origin.point : null;
        const settings = point === null ? {} : recoverySettings(point);
        const server = await Server.start(installation, { folder, port: this.port, settings });
        // Before onEnd, because the server may already have ended.
        [this.server, this.size] = [server, size];
        server.onEnd(() => {
            if (server.isStopping || this.isClosing) {
                return;
            }
            this.server = undefined;
            installation.report(`The PostgreSQL server of ${this.events.name} stopped unexpectedly: ${server.failure}`);
            this.work();
        });
    }

    private async setPassword(scram: string): Promise<void> {
        if (this.origin.kind !== "replica") {
            await this.withSession((query) => query(`ALTER ROLE ${roleName} PASSWORD '${scram}'`));
        }
        this.scram = scram;
        this.events.onPassword(scram);
    }

    private async takeBackup(): Promise<void> {
        const [unfinished, former] = [`${this.ownBackup}.tmp`, `${this.ownBackup}.former.tmp`];
        for (const left of [unfinished, former]) {
            await removeTree(left);
        }
        const { user } = this.installation;
        await this.withSession(async (query) => {
            await keepLogFromNow(query);
            const [begin] = await query("SELECT pg_current_wal_lsn() AS lsn");
            await makeServerFolder(unfinished, user);
            await backUp({ query, from: this.folder, to: unfinished, user });
            if (existsSync(this.ownBackup)) {
                await rename(this.ownBackup, former);
            }
            await rename(unfinished, this.ownBackup);
            // Only now is the log since the former backup of no use.
            await query(`SELECT pg_replication_slot_advance('${slot}', '${String(begin?.lsn)}')`);
        });
        await removeTree(former);
        this.events.onBackup();
    }

    private async openPooler(): Promise<void> {
        const options = { folder: `${this.folder}.pooler`, port: poolerPortOf(this.port), serverPort: this.port };
        this.pooler = await openPooler(this.installation, options);
    }

    private async stop(withPooler = true): Promise<void> {
        if (withPooler) {
            await this.closePooler();
        }
        await this.server?.stop();
        this.server = undefined;
    }

    private async closePooler(): Promise<void> {
        await this.pooler?.close();
        this.pooler = undefined;
    }

    private async remove(): Promise<void> {
        await this.stop();
        for (const suffix of ["", ".tmp", ".backup", ".backup.tmp", ".backup.former.tmp", ".pooler"]) {
            await removeTree(`${this.folder}${suffix}`);
        }
        this.isGone = true;
    }

    private fail(reason: string | undefined): void {
        if (reason === this.lastFailure) {
            return;
        }
        this.lastFailure = reason;
        if (reason !== undefined) {
            this.installation.report(`The PostgreSQL server of ${this.events.name} failed: ${reason}.`);
        }
        this.events.onFailure(reason);
    }

    private notify(): void {
        for (const resolve of this.reached) {
            resolve();
        }
        this.reached.clear();
    }
}

/** Without effect if the server already keeps its log. */
async function keepLogFromNow(query: Query): Promise<void> {
    await query(
        `SELECT pg_create_physical_replication_slot('${slot}', true)
         WHERE NOT EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = '${slot}')`,
    );
}
