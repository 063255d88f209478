import type { Schema } from "../contract";
import type { FaultReport } from "../faults/report";
import type { JournalEntry } from "../journal";
import { isRead, type Wire } from "../wire";
import type { DatedStatus, Difference } from "../world/changes";

// The messages between the server and the script of the page. Both import this file, so it imports only types and constants.

export { isCreation, isRead } from "../wire";
export { connectionString } from "../world/roles";
export type { DatedStatus, Difference, Schema, Wire };

/** The kind and id of a resource. Ids alone can be ambiguous. */
export interface ResourceName {
    kind: string;
    id: string;
}

/** Identifies a resource among those of all kinds, also as the id of its row. */
export const keyOf = ({ kind, id }: ResourceName): string => `${kind}-${id}`;

/** The current state of a resource, or a project. */
export interface Shown<Kind extends string = string, Model = unknown> extends ResourceName {
    kind: Kind;
    name: string;
    /** What contains it. A project has none. */
    parent?: ResourceName;
    /** The API's model with the id of the parent, but without other resources. */
    value: Model;
    /** Its statuses, oldest first, with the times from which each was valid by the emulator's clock. */
    statuses: readonly DatedStatus[];
    /** The next scheduled status, if there is one. Null: it will be deleted. */
    next?: { status: string | null; at: number };
    /** Whether a control has set the status. */
    isByHand?: true | undefined;
    /** What differs from what the program has set. */
    drift?: readonly Difference[] | undefined;
    /** Why its server has failed. */
    problem?: string | undefined;
}

/** The statuses of a resource that was deleted. */
export interface Removed extends ResourceName {
    name: string;
    statuses: readonly DatedStatus[];
    /** The time of the deletion in milliseconds since 1970. */
    removedAt: number;
}

/** A request in the journal, with its number since the start. */
export type NumberedEntry = JournalEntry & { number: number };

/** An operation of the API, or a control of the emulator, that changes something. */
export interface Operation {
    id: string;
    isControl: boolean;
    method: string;
    /** The path below the base URL, with names of ids such as `{service_id}`, or below the root of the controls with `*`. */
    path: string;
    /** What an operation of the API does. */
    summary?: string | undefined;
    description?: string | undefined;
    /** The schema of the body. Undefined without a body. */
    body?: Schema | undefined;
}

/** The response of the API, without secrets. */
export interface ApiResult {
    /** Undefined if a fault has broken the connection. */
    status: number | undefined;
    body?: unknown;
}

/** The user agent of the requests that the page sends to the API. */
export const pageAgent = "clouddb-emulator-page";

/** The properties of the emulator that never change. */
export interface About {
    /** The base URL of the API. */
    url: string;
    projectId: string;
    /** The token of the API, if it is the one that every user of this computer knows. */
    publicToken: string | undefined;
    isVirtualClock: boolean;
    /** The certificate file of the PostgreSQL servers. Undefined without servers. */
    certificateFile: string | undefined;
    /** What to call a resource of each kind. */
    nouns: Readonly<Record<string, string>>;
    /** The operations and controls that the page can call. */
    changes: readonly Operation[];
}

/** The state of the emulator, which the page reads again and again. */
export interface Message {
    /** Milliseconds since 1970 by the emulator's clock. */
    now: number;
    about: About;
    resources: readonly Shown[];
    /** The resources that were deleted lately. */
    removed: readonly Removed[];
    /** The latest entries, oldest first. */
    journal: readonly NumberedEntry[];
    faults: readonly FaultReport[];
    /** The divisor of all durations. */
    speed: number;
}

/** The maximum number of reads, and of changes, in the journal of the page. */
export const shownEntries = 200;

/** The entries that the page shows, oldest first, of all entries, newest first. */
export function latestOf(newestFirst: Iterable<NumberedEntry>): NumberedEntry[] {
    const left = { reads: shownEntries, changes: shownEntries };
    const latest: NumberedEntry[] = [];
    for (const entry of newestFirst) {
        const group = isRead(entry.method) ? "reads" : "changes";
        if (left[group] > 0) {
            left[group]--;
            latest.push(entry);
        } else if (left.reads + left.changes === 0) {
            break;
        }
    }
    return latest.reverse();
}

/** What the page receives only on request: its key, or the initial password of a service. */
export type Secret<Name extends "session" | "password"> = Record<Name, string>;
