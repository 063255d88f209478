import type { Kind, Parents } from "../kinds";
import type { DatedStatus } from "./changes";
import type { PasswordHash } from "./password";

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

/** A record whose changes by other means than the program are drift. */
export interface Drifting {
    /** What the program has set last. Undefined if nothing else has changed the resource since then. */
    declared?: Declared;
}

/** What all records have. */
export interface Dated {
    id: string;
    createdAt: number;
    /** Reads return 404 until this time. */
    visibleAt: number;
    /** Lists do not contain it until this time. Default: `visibleAt`. */
    listedAt?: number;
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

/** One line of a service's log. */
export interface LogLine {
    at: number;
    severity: string;
    message: string;
    /** The primary is 0. The HA replicas follow. */
    node: number;
}

export interface ServiceRecord extends Progressing<ServiceValues>, Drifting {
    projectId: string;
    name: string;
    regionCode: string;
    kind: ServiceKind;
    environment: string;
    pooler: boolean;
    /** The host of its server. Undefined without a server. */
    host?: string | undefined;
    port: number;
    password: PasswordHash;
    /** The service that this one was forked from. */
    parentId: string | null;
    /** The time of the parent's data in a fork, in milliseconds since 1970. Null: the time of the request. */
    forkPoint?: number | null;
    /** The time of the last snapshot on request. */
    snapshotAt?: number;
    /** The earliest time to which it can be restored. Default: the time of creation. */
    restorableFrom?: number;
    /** The extension of its add-on, if the PostgreSQL server does not contain it. */
    missingExtension?: string;
    /** The time from which it has a backup and accepts replica sets. */
    backupAt: number;
    override: StatusOverride | null;
    log: LogLine[];
}

export interface ReplicaSetValues extends DedicatedSize {
    nodes: number;
}

export interface ReplicaSetRecord extends Progressing<ReplicaSetValues>, Drifting {
    serviceId: string;
    name: string;
    environment: string;
    pooler: boolean;
    host?: string | undefined;
    port: number;
    override: StatusOverride | null;
}

export interface VpcRecord extends Dated, Drifting {
    projectId: string;
    name: string;
    cidr: string;
    regionCode: string;
}

export interface PeeringValues {
    provisionedId: string | null;
    errorMessage: string | null;
}

export interface PeeringRecord extends Progressing<PeeringValues> {
    vpcId: string;
    peerAccountId: string;
    peerRegionCode: string;
    peerVpcId: string;
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

/** A record with the id of its parent. */
type Contained<Parent extends string> = Dated & Record<`${Parent}Id`, string>;

type OfEachKind<Types extends { [K in Kind]: Contained<Parents[K]> }> = Types;

/** The record of each resource kind. A new kind does not compile until it has one. */
export type Records = OfEachKind<{
    vpcs: VpcRecord;
    peerings: PeeringRecord;
    services: ServiceRecord;
    replicaSets: ReplicaSetRecord;
}>;

/** All records of each kind. */
export type Lists = { [K in Kind]: Records[K][] };

/** The complete state as plain data, which the state file stores. */
export interface WorldState extends Lists {
    /** The latest time in milliseconds since 1970. Default: that of the clock. */
    now?: number;
    random: number;
    projects: ProjectRecord[];
    counts: Record<Kind, Tally>;
}
