import type { Durations } from "../durations";
import type { FaultReport } from "../faults/fault";
import type { JournalEntry } from "../journal";
import type { Wire } from "../wire";

// What the server and the script of the page tell each other. Both import this file, so it imports nothing but types.

/** What each kind of resource looks like on the page: as in the API, except that a read replica set stands by itself. */
export interface Values {
    project: Wire["Project"];
    vpc: Wire["Vpc"] & { project_id: string };
    peering: Wire["Peering"] & { vpc_id: string };
    service: Wire["Service"];
    replicaSet: Wire["ReadReplicaSet"] & { service_id: string };
}

export type ResourceKind = keyof Values;

/** A resource at this moment. */
export type Resource<Kind extends ResourceKind = ResourceKind> = {
    [K in Kind]: {
        kind: K;
        id: string;
        value: Values[K];
        /** When it came into its status, in milliseconds since 1970 by the emulator's clock. */
        since: number;
        /** Its next status, if that is fixed already; null: it is deleted. */
        next?: { status: string | null; at: number };
    };
}[Kind];

/** An id alone does not tell a VPC from a peering. */
export type ResourceName = Pick<Resource, "kind" | "id">;

/** A request in the journal, with its number since the start. */
export type NumberedEntry = JournalEntry & { number: number };

/** What does not change while the emulator runs. */
export interface About {
    /** The base URL of the API. */
    url: string;
    isVirtualClock: boolean;
    /** Divides all durations. */
    speed: number;
    /** The operations that a fault can name. */
    operations: readonly string[];
}

/** What is new since the message before; the first one has all. One line of JSON. */
export interface Message {
    /** Milliseconds since 1970 by the emulator's clock. */
    now: number;
    about?: About;
    changed?: Resource[];
    gone?: ResourceName[];
    journal?: {
        /** Entries with a lower number are forgotten. */
        begin: number;
        /** New ones, and those that have got their response. */
        entries: NumberedEntry[];
    };
    faults?: FaultReport[];
    durations?: Durations;
}

/** How many requests the page shows, of reads and of changes each. */
export const SHOWN_ENTRIES = 200;

/** What the page receives for the token, and sends in its place from then on. */
export interface Session {
    session: string;
}

/** A page of the log of a service. */
export type Logs = Wire["ServiceLogsResponse"];

/** Shown on request only. */
export interface Credentials {
    user: string;
    database: string;
    password: string;
}
