import type { CallOptions, MalformedEntry } from "../api/client";
import type { Clock, Deadline } from "../api/clock";

/** A collection of resources that one list call returns. */
export interface Collection<T> {
    /** Identifies the collection: its path. */
    readonly key: string;
    list(options: CallOptions): Promise<readonly T[]>;
    /** The id of an entry within the collection. It can be anything if the entry is malformed. */
    idOf(entry: T | MalformedEntry["fields"]): unknown;
    /** Reads one item. Absent if the API has no such operation. */
    readonly get?: (id: string, options: CallOptions) => Promise<T>;
    /** The resource or the project that contains the collection, with its own collection. Absent for the list of projects. */
    readonly parent?: { readonly collection: Collection<unknown>; readonly id: string };
}

/** The result of a list call. The items do not contain the malformed entries. */
export interface Listing<T> {
    readonly items: readonly T[];
    readonly malformed: readonly MalformedEntry[];
}

/** The item with this id; undefined if the list has none. Fails if its entry is malformed. */
export function itemIn<T>(collection: Collection<T>, { items, malformed }: Listing<T>, id: string): T | undefined {
    // The id of a nested resource begins with the id of its parent.
    const isIt = (entry: T | MalformedEntry["fields"]) => collection.idOf(entry) === id.slice(id.lastIndexOf("/") + 1);
    const broken = malformed.find(({ fields }) => isIt(fields));
    if (broken !== undefined) {
        throw broken.error;
    }
    return items.find(isIt);
}

/** The options of one read. */
export interface ReadOptions extends Deadline, Pick<CallOptions, "onSlow"> {
    /** The pause before the read. After a part of it, the caller joins the read of another one instead. */
    readonly pauseMs?: number | undefined;
}

/** The reads of lists in a process. Callers that need the same list at the same time share one request. */
export interface SharedReads {
    readonly clock: Clock;
    readonly random: () => number;
    /**
     * A number from 0 to 1 that spreads the polls of different processes. All waits of this process use the same number, so
     * that they poll together.
     */
    readonly spread: number;
    /** Reads the whole list. */
    list<T>(collection: Collection<T>, options: ReadOptions): Promise<Listing<T>>;
    /** Reads one item; undefined if the response lacks it. `needsList` requires the list, which confirms or refutes a 404. */
    find<T>(
        collection: Collection<T>,
        id: string,
        options: ReadOptions & { readonly needsList: boolean },
    ): Promise<T | undefined>;
}
