import type { Durations } from "../durations";
import type { FaultReport } from "../faults/report";
import type { JournalEntry } from "../journal";
import type { ModelsInParents } from "../kinds";
import type { Wire } from "../wire";

// The messages between the server and the script of the page. Both import this file, so it imports only types and the kinds.

export { childrenOf, kindFacts, kinds } from "../kinds";
export type { Kind, RootKind } from "../kinds";

/** The page's model of each resource kind. It is the API's model, but read replica sets are separate resources. */
export interface Values extends ModelsInParents {
    projects: Wire["Project"];
}

export type ResourceKind = keyof Values;

/** The current state of a resource. */
export type Resource<Kind extends ResourceKind = ResourceKind> = {
    [K in Kind]: {
        kind: K;
        id: string;
        value: Values[K];
        /** The time of the last status change in milliseconds since 1970 by the emulator's clock. */
        since: number;
        /** The next scheduled status, if there is one. Null: it will be deleted. */
        next?: { status: string | null; at: number };
        /** Why its server has failed. */
        problem?: string;
        /** What a user must know about it. */
        note?: string;
    };
}[Kind];

/** The kind and id of a resource. Ids alone are ambiguous between VPCs and peerings. */
export type ResourceName = Pick<Resource, "kind" | "id">;

/** A request in the journal, with its number since the start. */
export type NumberedEntry = JournalEntry & { number: number };

/** The properties of the emulator that never change. */
export interface About {
    /** The base URL of the API. */
    url: string;
    isVirtualClock: boolean;
    /** The certificate file of the PostgreSQL servers. Undefined without servers. */
    certificateFile: string | undefined;
    /** The divisor of all durations. */
    speed: number;
    /** The operations that a fault can match. */
    operations: readonly string[];
}

/** The changes since the previous message, as one line of JSON. The first message contains everything. */
export interface Message {
    /** Milliseconds since 1970 by the emulator's clock. */
    now: number;
    about?: About;
    changed?: Resource[];
    gone?: ResourceName[];
    journal?: {
        /** Entries with a lower number were dropped. */
        begin: number;
        /** New entries, and entries that have received their response. */
        entries: NumberedEntry[];
    };
    faults?: FaultReport[];
    durations?: Durations;
}

/** The maximum number of reads, and of changes, in the journal of the page. */
export const shownEntries = 200;

/** The session key that the page receives for the token and sends instead of it. */
export interface Session {
    session: string;
}

/** A page of a service's log. */
export type Logs = Wire["ServiceLogsResponse"];

/** The credentials of a service, which the page shows only on request. */
export interface Credentials {
    user: string;
    database: string;
    password: string;
}
