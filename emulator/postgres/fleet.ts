import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { realClock } from "../clock";
import { hashPassword } from "../world/password";
import type { Servers } from "../world/servers";
import { dedicatedSizeOf } from "../world/sizes";
import type { ReplicaSetRecord, ServiceKind, ServiceRecord } from "../world/state";
import type { World } from "../world/world";
import { Database } from "./database";
import type { Wanted } from "./database";
import type { Installation } from "./installation";
import type { Origin } from "./origin";
import { host } from "./ports";
import type { Ports } from "./ports";
import { scramVerifier } from "./scram";
import type { Query } from "./sql";

type DatabaseRecord = ServiceRecord | ReplicaSetRecord;

const isService = (record: DatabaseRecord): record is ServiceRecord => "projectId" in record;
/** An id may be reused after a reset, but not with the same time of creation. */
const keyOf = ({ id, createdAt }: DatabaseRecord): string => `${id}-${createdAt}`;
const checkIntervalMs = 5_000;

/** Reconciles the servers with the records. */
export class Fleet {
    private readonly databases = new Map<string, Database>();
    /** Databases of a saved world whose data is missing. */
    private readonly withoutData = new Set<string>();
    private readonly timer = setInterval(() => void this.renewBackups(), checkIntervalMs);
    private world: World | undefined;
    private save: () => Promise<void> = () => Promise.resolve();

    constructor(
        private readonly installation: Installation,
        private readonly ports: Ports,
    ) {
        this.timer.unref();
    }

    readonly servers: Servers = {
        newAddress: () => ({ host, port: this.ports.take() }),
        hashPassword: (password) => ({ ...hashPassword(password), scram: scramVerifier(password) }),
        isSettled: (record) => this.databases.get(keyOf(record))?.isSettled ?? false,
        logOf: (record) => this.databases.get(keyOf(record))?.log ?? [],
    };

    /** Starts the servers of a saved world. A server that does not start is reported, and tried again. */
    async adopt(world: World, save: () => Promise<void>): Promise<void> {
        this.world = world;
        this.save = save;
        for (const record of recordsOf(world)) {
            if (record.host === undefined) {
                Object.assign(record, this.servers.newAddress(world.random));
            }
            if (record.override?.isFailure) {
                record.override = null;
            }
            this.ports.occupy(record.port);
        }
        this.removeUnusedFolders(world);
        for (const record of recordsOf(world)) {
            this.noteMissingData(record);
        }
        await this.reconcile();
    }

    /** Starts the servers of new records. A fork then copies its parent before a later change or deletion of the parent. */
    startNew(): void {
        const { world } = this;
        for (const record of world ? recordsOf(world) : []) {
            if (world && !this.databases.has(keyOf(record))) {
                void this.databaseOf(world, record).want(wantedOf(record));
            }
        }
    }

    /** Resolves when every database has reached the state of its record, except those that are busy with a change. */
    async reconcile(): Promise<void> {
        const world = this.world;
        if (!world) {
            return;
        }
        world.catchUp();
        const waits: Promise<void>[] = [];
        const known = new Set<string>();
        for (const record of recordsOf(world)) {
            known.add(keyOf(record));
            const reached = this.databaseOf(world, record).want(wantedOf(record));
            if (record.steps.length === 0) {
                waits.push(reached);
            }
        }
        for (const [key, database] of this.databases) {
            if (known.has(key)) {
                continue;
            }
            waits.push(database.want({ ...database.wanted, state: "gone" }).then(() => this.forget(key, database)));
        }
        await Promise.all(waits);
    }

    /** Whether all databases are gone. */
    get isEmpty(): boolean {
        return [...this.databases.values()].every(({ isGone }) => isGone);
    }

    async close(): Promise<void> {
        clearInterval(this.timer);
        await Promise.all([...this.databases.values()].map((database) => database.close()));
    }

    private get now(): number {
        return this.world?.now ?? realClock.now();
    }

    private forget(key: string, database: Database): void {
        if (!database.isGone || !this.databases.delete(key)) {
            return;
        }
        this.ports.release(database.port);
    }

    private databaseOf(world: World, record: DatabaseRecord): Database {
        const key = keyOf(record);
        const known = this.databases.get(key);
        if (known) {
            return known;
        }
        const { installation } = this;
        const folder = join(installation.data, key);
        const database: Database = new Database(installation, folder, record.port, this.originOf(world, record), {
            name: nameOf(record),
            choosePort: async () => {
                await this.ports.refill();
                return this.changed(record, { port: this.ports.take() }).port;
            },
            onFailure: (reason) => this.showFailure(record, reason),
            onCreated: (query) => this.noteMissingExtension(record, query),
            onPassword: (scram) => this.notePassword(record, scram),
            onBackup: () => this.changed(record, { restorableFrom: this.now }),
        });
        this.databases.set(key, database);
        return database;
    }

    private originOf(world: World, record: DatabaseRecord): Origin {
        const parentId = isService(record) ? record.parentId : record.serviceId;
        const parentRecord = parentId === null ? undefined : world.services.get(parentId);
        if (parentId === null) {
            return { kind: "template" };
        }
        // If the parent was deleted, the fork already has its own folder.
        const parent = parentRecord ? this.databaseOf(world, parentRecord) : undefined;
        if (!isService(record)) {
            return { kind: "replica", parent };
        }
        // If the data of a fork is missing, its parent may no longer have the data of that time.
        const isNow = this.withoutData.has(keyOf(record)) || typeof record.forkPoint !== "number";
        return { kind: "fork", parent, point: isNow ? null : world.onClock(record.forkPoint ?? 0) };
    }

    /** The current object of the record. A reset replaces the objects. */
    private current(record: DatabaseRecord): DatabaseRecord | undefined {
        const records: ReadonlyMap<string, DatabaseRecord> | undefined = isService(record)
            ? this.world?.services
            : this.world?.replicaSets;
        const current = records?.get(record.id);
        return current && keyOf(current) === keyOf(record) ? current : undefined;
    }

    private changed<Change extends object>(record: DatabaseRecord, change: Change): Change {
        Object.assign(this.current(record) ?? {}, change);
        void this.save().catch(() => undefined);
        return change;
    }

    /** Does not replace a status that a control has set. */
    private showFailure(record: DatabaseRecord, reason: string | undefined): void {
        const { override } = this.current(record) ?? record;
        if (override && !override.isFailure) {
            return;
        }
        const status = isService(record) ? "UNSTABLE" : "error";
        const current = this.current(record);
        if (reason !== undefined && current && isService(current)) {
            current.log.push({ at: this.now, severity: "FATAL", message: reason, node: 0 });
        }
        this.changed(record, {
            override: reason === undefined ? null : { status, at: this.now, until: null, isFailure: true, reason },
        });
    }

    /** A service with an add-on lacks it here if PostgreSQL does not contain its extension. */
    private async noteMissingExtension(record: DatabaseRecord, query: Query): Promise<void> {
        const current = this.current(record);
        const extension = current && isService(current) ? extensionOf[current.kind] : undefined;
        if (!current || extension === undefined) {
            return;
        }
        const found = await query(`SELECT 1 FROM pg_available_extensions WHERE name = '${extension}'`);
        if (found.length > 0) {
            return;
        }
        const message = `The extension ${extension} is not available: PostgreSQL of the emulator does not contain it.`;
        this.installation.report(`${nameOf(record)}: ${message}`);
        if (isService(current)) {
            current.log.push({ at: this.now, severity: "WARNING", message, node: 0 });
        }
        this.changed(record, { missingExtension: extension });
    }

    private notePassword(record: DatabaseRecord, scram: string): void {
        const current = this.current(record);
        if (current && isService(current) && current.password.scram === scram) {
            this.changed(record, { password: { ...current.password, isApplied: true as const } });
        }
    }

    private async renewBackups(): Promise<void> {
        for (const database of this.databases.values()) {
            await database.renewBackup().catch(() => undefined);
        }
    }

    private noteMissingData(record: DatabaseRecord): void {
        const isNew = record.steps.length > 0;
        if (isNew || existsSync(join(this.installation.data, keyOf(record)))) {
            return;
        }
        this.withoutData.add(keyOf(record));
        if (isService(record)) {
            delete record.password.isApplied;
        }
        const hint = isService(record) && record.password.scram === undefined ? " Set a new password." : "";
        this.installation.report(
            `The data of ${nameOf(record)} is missing. It starts empty, or with the current data of its parent.${hint}`,
        );
    }

    /** Removes incomplete folders, and those of databases that were deleted while no server was running. */
    private removeUnusedFolders(world: World): void {
        const known = new Set(recordsOf(world).map(keyOf));
        for (const name of readdirSync(this.installation.data)) {
            const [, key = ""] = /^([a-z0-9]{10}-\d+)(\..*)?$/.exec(name) ?? [];
            const isUnfinished = name.endsWith(".tmp");
            if (key !== "" && (isUnfinished || !known.has(key))) {
                rmSync(join(this.installation.data, name), { recursive: true, force: true });
            }
        }
    }
}

/** The extension that each kind of service has on the platform. */
const extensionOf: Readonly<Record<ServiceKind, string | undefined>> = {
    POSTGRES: undefined,
    TIMESERIESDB: "timescaledb",
    VECTOR: "vector",
};

/** Parents first. */
const recordsOf = (world: World): DatabaseRecord[] => [...world.services.values(), ...world.replicaSets.values()];

const nameOf = (record: DatabaseRecord): string => `${isService(record) ? "service" : "read replica set"} ${record.id}`;

/** The desired state: that of the record after its last scheduled step. */
function wantedOf(record: DatabaseRecord): Wanted {
    const last = record.steps.at(-1);
    const status = last ? last.status : record.status;
    return {
        state: status === null ? "gone" : status === "PAUSED" ? "stopped" : "running",
        size: sizeOf(record),
        scram: isService(record) && !record.password.isApplied ? record.password.scram : undefined,
        pooler: record.pooler,
    };
}

function sizeOf(record: DatabaseRecord): string {
    if (isService(record)) {
        return JSON.stringify(record.steps.at(-1)?.set?.size ?? record.values.size);
    }
    return JSON.stringify(dedicatedSizeOf({ ...record.values, ...record.steps.at(-1)?.set }));
}
