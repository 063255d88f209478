import type { Wire } from "../wire";
import type { DatedStatus } from "./changes";
import type { Password } from "./password";

/** A scheduled change of a record. */
export interface Step<Values> {
    /** Milliseconds since 1970. */
    at: number;
    /** The status from then on. Null deletes the record. */
    status: string | null;
    /** The values that change at this time. */
    set?: Partial<Values>;
}

/** What a program can declare about a resource, by property. */
export type Declared = Readonly<Record<string, unknown>>;

/** What all records have. */
export interface Dated {
    id: string;
    createdAt: number;
    /** Reads return 404 until this time. */
    visibleAt: number;
    /** Lists do not contain it until this time. Default: `visibleAt`. */
    listedAt?: number;
    /** What the program has set last. Undefined if nothing else has changed the resource since then. */
    declared?: Declared;
}

/** A record with scheduled steps. No timer runs: the first access at or after the time of a step carries it out. */
export interface Progressing<Values> extends Dated {
    status: string;
    /** The time of the last status change in milliseconds since 1970. Default: the time of creation. */
    statusAt?: number;
    /** The earlier statuses, oldest first, with the time from which each was valid. */
    past?: DatedStatus[];
    /** The values that an asynchronous operation changes when it completes. */
    values: Values;
    /** The scheduled steps, earliest first. The record is busy while there are any. */
    steps: Step<Values>[];
}

/** CPU and memory of a server. */
export interface DedicatedSize {
    cpuMillis: number;
    memoryGbs: number;
}

/** "shared" means that the service has no CPU and memory of its own. */
export type Size = DedicatedSize | "shared";

export interface ServiceValues {
    size: Size;
    replicaCount: number;
    syncReplicaCount: number;
    vpcId: string | null;
}

export type ServiceKind = "POSTGRES" | "TIMESERIESDB" | "VECTOR";

/** A status that a control has set in place of the real one. */
export interface StatusOverride {
    status: string;
    /** The time of the override in milliseconds since 1970. */
    at?: number;
    until: number | null;
    /** The server has failed. The override is removed when the server works again. */
    isFailure?: true;
    /** A control has set it. */
    isByHand?: true;
    /** Why it has failed. */
    reason?: string;
}

/** A record whose status a control or a failure can replace. */
export interface Overridable {
    override: StatusOverride | null;
}

/** A record that changes by itself, whose status a control may replace. */
export type Changing = Progressing<object> & Partial<Overridable>;

/** One line of a service's log. */
export interface LogLine {
    at: number;
    severity: string;
    message: string;
    /** The primary is 0. The HA replicas follow. */
    node: number;
}

/** The address of a service or read replica set. */
export interface Address {
    /** The host of its server. Undefined if none runs. The API then returns a name that does not resolve. */
    host?: string | undefined;
    port: number;
}

/** What a service and a read replica set have. */
interface ServerRecord<Values, Model> extends Progressing<Values>, Overridable, Address {
    name: string;
    environment: string;
    pooler: boolean;
    /** The properties that an operation of their own sets, as the API returns them. */
    properties?: Partial<Model>;
}

export interface ServiceRecord extends ServerRecord<ServiceValues, Wire["Service"]> {
    projectId: string;
    regionCode: string;
    kind: ServiceKind;
    /** Whether its endpoints, and those of its replica sets, depend on the VPC that it is attached to. */
    movingEndpoints?: true;
    password: Password;
    /** The service that this one was forked from. */
    parentId: string | null;
    /** The time of the parent's data in a fork, in milliseconds since 1970. Null: the time of the request. */
    forkPoint?: number | null;
    /** The time of the last snapshot on request. */
    snapshotAt?: number;
    /** The earliest time to which it can be restored. Default: the time of creation. */
    restorableFrom?: number;
    /** The time from which it has a backup and accepts replica sets. */
    backupAt: number;
    log: LogLine[];
}

export interface ReplicaSetValues extends DedicatedSize {
    nodes: number;
}

export interface ReplicaSetRecord extends ServerRecord<ReplicaSetValues, Wire["ReadReplicaSet"]> {
    serviceId: string;
}

export interface ProjectRecord {
    id: string;
    name: string;
}

/** The number of resources of a kind that were created and deleted since the start. */
export interface Tally {
    made: number;
    removed: number;
}

/** The complete state as plain data, which the state file stores. */
export interface WorldState {
    /** The latest time in milliseconds since 1970. Default: that of the clock. */
    now?: number;
    random: number;
    projects: ProjectRecord[];
    /** The records of each kind by its name. A missing list is empty. */
    records: Readonly<Record<string, readonly Dated[]>>;
    /** By the name of the kind. */
    counts: Readonly<Record<string, Tally>>;
}
