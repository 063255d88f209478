import type { Client } from "../api/client";
import type { Clock, Deadline } from "../api/clock";
import type { Text } from "../base/message";
import type { Ledger } from "./ledger";
import type { SharedReads } from "./collection";
import type { Locks } from "./locks";

/** What an operation on a resource may use: the API, the time that it has, locks and the user's terminal. */
export interface Context extends Deadline {
    readonly client: Client;
    readonly clock: Clock;
    readonly lists: SharedReads;
    readonly locks: Locks;
    /** When this operation began, on the clock. */
    readonly beganAt: number;
    /** The time on the clock of the API. */
    readonly serverNow: () => number;
    /** The setting that extends the deadline, for the timeout message. */
    readonly timeoutSetting: string;
    /** Replaces the status in the row of the resource, or in a row that only a step of its update has. */
    readonly showRow: (text: string, step?: string) => void;
    /** Shows that the operation, or its step with a row of its own, is complete. */
    readonly done: () => void;
    /** Prints lines under the resource, which stay in the output. */
    readonly info: (text: Text) => void;
    /** Prints a warning under the resource. */
    readonly warn: (text: Text) => void;
    /** What the resources of the program manage. */
    readonly ledger: Ledger;
    /** The resource of the program. */
    readonly urn: string | undefined;
}

/** What an operation is doing: the line of the status row, with the current status if there is one. */
export type Activity = (status?: string) => string;
