import type { PasswordHash } from "./password";
import type { LogLine } from "./logs";

/** What happens to a thing at a time that is already fixed. */
export interface Step<Values> {
    /** Milliseconds since 1970. */
    at: number;
    /** The status from then on; null: the thing is gone. */
    status: string | null;
    /** What reads show differently from then on. */
    set?: Partial<Values>;
}

/** A thing that passes through its states in time. Nothing runs in between: whoever looks first at or after a step carries it out. */
export interface Progressing<Values> {
    status: string;
    /** When it got its status, in milliseconds since 1970; default: when it was created. */
    statusAt?: number;
    /** What reads show and what a change makes different only at its end. */
    values: Values;
    /** What is still to come, earliest first. While there is any, the thing is busy. */
    steps: Step<Values>[];
    createdAt: number;
    /** Reads answer 404 until then. */
    visibleAt: number;
}

/** "shared" means that the service has no CPU and memory of its own. */
export type Size = { cpuMillis: number; memoryGbs: number } | "shared";

export interface ServiceValues {
    size: Size;
    replicaCount: number;
    syncReplicaCount: number;
    vpcId: string | null;
}

export type ServiceKind = "POSTGRES" | "TIMESERIESDB" | "VECTOR";

/** A status that a control function has laid over the real one. */
export interface StatusOverride {
    status: string;
    /** When it was set, in milliseconds since 1970. */
    at?: number;
    until: number | null;
    /** Its server fails; lifted as soon as that works again. */
    isFailure?: true;
}

export interface ServiceRecord extends Progressing<ServiceValues> {
    id: string;
    projectId: string;
    name: string;
    regionCode: string;
    kind: ServiceKind;
    environment: string;
    pooler: boolean;
    /** Where its server listens; undefined where none runs. */
    host?: string | undefined;
    port: number;
    password: PasswordHash;
    /** The service that this one was forked from. */
    parentId: string | null;
    /** The time as of which a fork has its parent's data, in milliseconds since 1970; null: as of the request. */
    forkPoint?: number | null;
    /** The last snapshot that was taken on request. */
    snapshotAt?: number;
    /** The earliest time to which it can be restored; default its creation. */
    restorableFrom?: number;
    /** From then on a replica set can be made of it. */
    backupAt: number;
    override: StatusOverride | null;
    log: LogLine[];
    /** When it was running, as [from, to] in milliseconds since 1970; `to` is null while it runs. */
    running: [from: number, to: number | null][];
}

export interface ReplicaSetValues {
    nodes: number;
    cpuMillis: number;
    memoryGbs: number;
}

export interface ReplicaSetRecord extends Progressing<ReplicaSetValues> {
    id: string;
    serviceId: string;
    name: string;
    environment: string;
    pooler: boolean;
    host?: string | undefined;
    port: number;
    override: StatusOverride | null;
}

export interface VpcRecord {
    id: string;
    projectId: string;
    name: string;
    cidr: string;
    regionCode: string;
    createdAt: number;
    visibleAt: number;
}

export interface PeeringValues {
    provisionedId: string | null;
    errorMessage: string | null;
}

export interface PeeringRecord extends Progressing<PeeringValues> {
    id: string;
    vpcId: string;
    peerAccountId: string;
    peerRegionCode: string;
    peerVpcId: string;
}

export interface ProjectRecord {
    id: string;
    name: string;
}

/** How many of each were ever made and ever removed. */
export interface Tally {
    made: number;
    removed: number;
}

export type Countable = "vpcs" | "peerings" | "services" | "replicaSets";

/** All that there is, as plain data. */
export interface WorldState {
    random: number;
    projects: ProjectRecord[];
    vpcs: VpcRecord[];
    peerings: PeeringRecord[];
    services: ServiceRecord[];
    replicaSets: ReplicaSetRecord[];
    counts: Record<Countable, Tally>;
}
