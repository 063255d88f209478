import type { CallOptions } from "../api/client";
import type { Clock, Deadline } from "../api/clock";

/** A collection of resources that one list call returns. */
export interface Collection<T> {
    /** Identifies the collection: its path. */
    readonly key: string;
    list(options: CallOptions): Promise<readonly T[]>;
    /** The id of an entry within the collection. It may not be a string if the entry is malformed. */
    idOf(entry: unknown): unknown;
    /** Reads one item; undefined if it no longer exists. Absent if the API has no such operation. */
    readonly get?: (id: string, options: CallOptions) => Promise<T | undefined>;
    /** The resource or the project that contains the collection, with its own collection. Absent for the list of projects. */
    readonly parent?: { readonly collection: Collection<unknown>; readonly id: string };
}

/** The options of one read. A read that fails is repeated until the deadline. */
export interface ReadOptions extends Deadline, Pick<CallOptions, "onSlow" | "onRetry"> {
    /** The only item that the caller needs. Absent if it needs the list. */
    readonly id?: string | undefined;
    /** Whether it is read by a request of its own, at once. */
    readonly alone?: boolean;
}

/** The reads of lists in a process. Callers that need the same list at the same time share one request. */
export interface SharedReads {
    readonly clock: Clock;
    /** The waits in progress. */
    readonly waits: Set<object>;
    /**
     * The pause until the next tick of this interval on the clock that all waits of the process share, so that those who wake
     * together share their read. It is at least this long, by default as long as the shortest interval.
     */
    untilTick(intervalMs: number, leastMs?: number): number;
    /** Reads the list. Fails if a malformed entry of it is needed beside these items. */
    list<T>(
        collection: Collection<T>,
        options: ReadOptions,
        isNeeded?: (entry: object, items: readonly T[]) => boolean,
    ): Promise<readonly T[]>;
    /** Reads one item; undefined if the response lacks it. `needsList` requires the list, which confirms or refutes a 404. */
    find<T>(
        collection: Collection<T>,
        id: string,
        options: ReadOptions & { readonly needsList: boolean },
    ): Promise<T | undefined>;
}
