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

/** The result of a list call: the valid and the malformed entries. */
export class Listing<T> {
    private readonly byId: ReadonlyMap<unknown, T>;

    constructor(
        private readonly collection: Collection<T>,
        readonly items: readonly T[],
        readonly malformed: readonly MalformedEntry[] = [],
    ) {
        this.byId = new Map(items.map((item) => [collection.idOf(item), item]));
    }

    /** The entry with this id. A malformed entry whose id is unreadable may be it. */
    entryOf(
        id: string,
    ): { readonly item: T } | { readonly malformed: MalformedEntry; readonly hasId: boolean } | undefined {
        // The id of a nested resource begins with the id of its parent.
        const own = id.slice(id.lastIndexOf("/") + 1);
        const item = this.byId.get(own);
        if (item !== undefined) {
            return { item };
        }
        const idIn = ({ fields }: MalformedEntry) => this.collection.idOf(fields);
        const malformed =
            this.malformed.find((entry) => idIn(entry) === own) ??
            this.malformed.find((entry) => typeof idIn(entry) !== "string" || idIn(entry) === "");
        return malformed && { malformed, hasId: idIn(malformed) === own };
    }
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
