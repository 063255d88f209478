import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { replicaSets } from "../kinds/replicaSets";
import { services } from "../kinds/services";
import type { Servers } from "../world/servers";
import type { Dated, ReplicaSetRecord, ServiceRecord } from "../world/state";
import type { World } from "../world/world";
import { Database, type Wanted } from "./database";
import { removeTree } from "./inside";
import type { Installation } from "./installation";
import type { Origin } from "./origin";
import { host, newPort } from "./ports";

type DatabaseRecord = ServiceRecord | ReplicaSetRecord;

const isService = (record: DatabaseRecord): record is ServiceRecord => "projectId" in record;
/** An id may be reused after a reset, but not with the same time of creation. */
const keyOf = ({ id, createdAt }: Dated): string => `${id}-${createdAt}`;
const checkIntervalMs = 5_000;

/** Reconciles the servers with the records. */
export class Fleet {
    private readonly databases = new Map<string, Database>();
    /** Databases of a saved world whose data is missing. */
    private readonly withoutData = new Set<string>();
    private readonly timer = setInterval(() => void this.renewBackups(), checkIntervalMs);

    constructor(
        private readonly installation: Installation,
        private readonly world: World,
        private readonly save: () => Promise<void>,
    ) {
        this.timer.unref();
    }

    readonly servers: Servers = {
        newAddress: () => ({ host, port: this.newPort() }),
        isSettled: (record) => !("port" in record) || (this.databases.get(keyOf(record))?.isSettled ?? false),
        logOf: (record) => this.databases.get(keyOf(record))?.log ?? [],
    };

    /** Starts the servers of a saved world. A server that does not start is reported, and tried again. */
    async adopt(): Promise<void> {
        this.world.rules.servers = this.servers;
        for (const record of recordsOf(this.world)) {
            if (record.host === undefined) {
                Object.assign(record, { host, port: this.newPort() });
            }
            if (record.override?.isFailure) {
                record.override = null;
            }
        }
        await this.removeUnusedFolders();
        recordsOf(this.world).forEach((record) => this.noteMissingData(record));
        await this.reconcile();
    }

    /** Starts the servers of new records. A fork then copies its parent before a later change or deletion of the parent. */
    startNew(): void {
        for (const record of recordsOf(this.world)) {
            if (!this.databases.has(keyOf(record))) {
                void this.databaseOf(record).want(wantedOf(record));
            }
        }
    }

    /** Resolves when every database has reached the state of its record, except those that are busy with a change. */
    async reconcile(): Promise<void> {
        this.world.catchUp();
        const waits: Promise<void>[] = [];
        const gone = new Map(this.databases);
        for (const record of recordsOf(this.world)) {
            gone.delete(keyOf(record));
            const reached = this.databaseOf(record).want(wantedOf(record));
            if (record.steps.length === 0) {
                waits.push(reached);
            }
        }
        for (const [key, database] of gone) {
            const forget = () => database.isGone && this.databases.delete(key);
            waits.push(database.want({ ...database.wanted, state: "gone" }).then(() => void forget()));
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

    private newPort(): number {
        return newPort(new Set(recordsOf(this.world).map(({ port }) => port)));
    }

    private databaseOf(record: DatabaseRecord): Database {
        const key = keyOf(record);
        const known = this.databases.get(key);
        if (known) {
            return known;
        }
        const { installation } = this;
        const folder = join(installation.data, key);
        const database = new Database(installation, folder, record.port, this.originOf(record), {
            name: nameOf(record),
            choosePort: () => this.changed(record, { port: this.newPort() }).port,
            onFailure: (reason) => this.showFailure(record, reason),
            onPassword: (scram) => this.notePassword(record, scram),
            onBackup: () => this.changed(record, { restorableFrom: this.world.now }),
        });
        this.databases.set(key, database);
        return database;
    }

    private originOf(record: DatabaseRecord): Origin {
        const parentId = isService(record) ? record.parentId : record.serviceId;
        if (parentId === null) {
            return { kind: "template" };
        }
        // If the parent was deleted, the fork already has its own folder.
        const parentRecord = this.world.records(services).get(parentId);
        const parent = parentRecord && this.databaseOf(parentRecord);
        if (!isService(record)) {
            return { kind: "replica", parent };
        }
        // If the data of a fork is missing, its parent may no longer have the data of that time.
        const isNow = this.withoutData.has(keyOf(record)) || typeof record.forkPoint !== "number";
        return { kind: "fork", parent, point: isNow ? null : this.world.onClock(record.forkPoint ?? 0) };
    }

    /** The current object of the record. A reset replaces the objects. */
    private current(record: DatabaseRecord): DatabaseRecord | undefined {
        const current = this.world.records<DatabaseRecord>(isService(record) ? services : replicaSets).get(record.id);
        return current && keyOf(current) === keyOf(record) ? current : undefined;
    }

    private changed<Change extends object>(record: DatabaseRecord, change: Change): Change {
        Object.assign(this.current(record) ?? {}, change);
        void this.save().catch(() => undefined);
        return change;
    }

    /** Does not replace a status that a control has set. */
    private showFailure(record: DatabaseRecord, reason: string | undefined): void {
        const current = this.current(record);
        if (current?.override && !current.override.isFailure) {
            return;
        }
        const [status, at] = [isService(record) ? "UNSTABLE" : "error", this.world.now];
        if (reason !== undefined && current && isService(current)) {
            current.log.push({ at, severity: "FATAL", message: reason, node: 0 });
        }
        this.changed(record, {
            override: reason === undefined ? null : { status, at, until: null, isFailure: true, reason },
        });
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
        this.installation.report(
            `The data of ${nameOf(record)} is missing. It starts empty, or with the current data of its parent.`,
        );
    }

    /** Removes incomplete folders, and those of databases that were deleted while no server was running. */
    private async removeUnusedFolders(): Promise<void> {
        const known = new Set(recordsOf(this.world).map(keyOf));
        for (const name of readdirSync(this.installation.data)) {
            const [, key = ""] = /^([a-z0-9]{10}-\d+)(\..*)?$/.exec(name) ?? [];
            const isUnfinished = name.endsWith(".tmp");
            if (key !== "" && (isUnfinished || !known.has(key))) {
                await removeTree(join(this.installation.data, name));
            }
        }
    }
}

/** Parents first. */
const recordsOf = (world: World): DatabaseRecord[] => [
    ...world.records(services).values(),
    ...world.records(replicaSets).values(),
];

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
    const { cpuMillis, memoryGbs } = { ...record.values, ...record.steps.at(-1)?.set };
    return JSON.stringify({ cpuMillis, memoryGbs });
}
