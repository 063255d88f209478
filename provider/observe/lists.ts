import { way } from "../base/message";
import type { CallOptions } from "../api/client";
import { type Clock, untilDeadline } from "../api/clock";
import {
    DeadlineError,
    undefinedIfNotFound,
    InvalidResponseError,
    isNotFound,
    ProjectNotFoundError,
    type ApiError,
} from "../api/callErrors";
import { withRetries } from "../api/retry";
import type { Collection, ReadOptions, SharedReads } from "../model/collection";
import { goneAfterMs, shortestPollMs, wakeWithinMs } from "./schedule";
import { Absence, watch } from "./watch";

/** A list in a response. */
interface Listing<T> {
    readonly items: readonly T[];
    /** The malformed entries, each with the error for a caller that needs it. */
    readonly malformed: ReadonlyMap<object, Error>;
}

/** A caller that needs a read of a list, or of its only item that it needs. */
type Caller = Pick<ReadOptions, "id" | "onSlow" | "alone">;

/** All reads of lists in the process. Callers that need the same list at the same time share one request. */
export class Lists implements SharedReads {
    /** The common clock of all waits counts from here, so that those of different processes wake at different times. */
    private readonly origin: number;
    readonly waits = new Set<object>();
    private readonly shared = new Map<string, SharedList<unknown>>();

    constructor(
        readonly clock: Clock,
        private readonly random: () => number,
    ) {
        this.origin = clock.now();
    }

    untilTick(intervalMs: number, leastMs = shortestPollMs): number {
        const since = this.clock.now() - this.origin;
        return Math.ceil((since + leastMs) / intervalMs) * intervalMs - since;
    }

    /** Reads the whole list, or one item of it. Fails if a malformed entry of the list is needed. */
    list<T>(
        collection: Collection<T>,
        options: ReadOptions,
        isNeeded: (entry: object, items: readonly T[]) => boolean = () => false,
    ): Promise<readonly T[]> {
        const { clock, random } = this;
        return withRetries({ ...options, clock, random }, async (last) => {
            if (last !== undefined) {
                await clock.sleep(this.untilTick(shortestPollMs, last.pauseMs), options.signal);
            }
            const timeout = () => (last === undefined ? noResponse(collection) : DeadlineError.after(last.failure));
            const read = () => this.sharedOf(collection).next(options);
            const { items, malformed } = await untilDeadline(options, clock, timeout, read);
            for (const [entry, error] of malformed) {
                if (isNeeded(entry, items)) {
                    throw error;
                }
            }
            return items;
        });
    }

    /**
     * Reads one item; undefined if the response lacks it. Uses the list if other callers or this one need it, otherwise a
     * request for the item. Fails if the item is a malformed entry of the list.
     */
    async find<T>(
        collection: Collection<T>,
        id: string,
        { needsList, ...options }: ReadOptions & { readonly needsList: boolean },
    ): Promise<T | undefined> {
        // The id of a nested resource begins with the id of its parent.
        const ownId = id.slice(id.lastIndexOf("/") + 1);
        const isIt = (entry: unknown) => collection.idOf(entry) === ownId;
        const items = await this.list(
            collection,
            { ...options, id: needsList ? undefined : id },
            (entry, found) => isIt(entry) && !found.some(isIt),
        );
        return items.find(isIt);
    }

    private sharedOf<T>(collection: Collection<T>): SharedList<T> {
        const known = this.shared.get(collection.key) as SharedList<T> | undefined;
        const list = known ?? new SharedList(collection, this);
        this.shared.set(collection.key, list);
        return list;
    }
}

/** The reads of one list, which run one at a time. Each serves those who have asked before it begins. */
class SharedList<T> {
    private callers: Caller[] = [];
    /** The read for these callers, which has not begun. */
    private upcoming: Promise<Listing<T>> | undefined;
    private present: Promise<unknown> | undefined;

    constructor(
        private readonly collection: Collection<T>,
        private readonly lists: SharedReads,
    ) {}

    /** The next read that begins, or one of its own. */
    next(caller: Caller): Promise<Listing<T>> {
        if (caller.alone) {
            return this.fetch([caller]);
        }
        this.callers.push(caller);
        return (this.upcoming ??= this.begin());
    }

    /** Begins once the present read has ended, and all who wake at this tick have asked. */
    private async begin(): Promise<Listing<T>> {
        await Promise.all([this.present, this.lists.clock.sleep(wakeWithinMs)]);
        const { callers } = this;
        this.callers = [];
        this.upcoming = undefined;
        const listing = this.fetch(callers);
        this.present = listing.catch(() => undefined);
        return listing;
    }

    private async fetch(callers: readonly Caller[]): Promise<Listing<T>> {
        const { collection, lists } = this;
        const options: CallOptions = {
            // Each caller has its own deadline, and repeats a failed read itself.
            deadlineAt: Infinity,
            isSingle: true,
            onSlow: (waitsFor) => callers.forEach(({ onSlow }) => onSlow?.(waitsFor)),
        };
        const ids = new Set(callers.map(({ id }) => id));
        const [id] = ids;
        if (ids.size === 1 && id !== undefined && collection.get) {
            const item = await undefinedIfNotFound(collection.get(id, options));
            return { items: item === undefined ? [] : [item], malformed: new Map() };
        }
        const malformed = new Map<object, Error>();
        const onMalformed = (entry: object, error: Error) => malformed.set(entry, error);
        return { items: await listCollection(collection, { ...options, onMalformed }, lists), malformed };
    }
}

function noResponse({ key }: Collection<unknown>): DeadlineError {
    return new DeadlineError({
        what: `The API did not respond to GET ${key} within the time limit.`,
        ways: [way("Check", "the network and whether the API is available")],
    });
}

/**
 * Lists a collection. The collection of a deleted resource is empty. The parent's
 * collection confirms the deletion, so nothing counts as deleted if the API returns 404 for all requests: a project is missing
 * if the list of projects lacks it, or is not found either for a while.
 */
async function listCollection<T>(
    collection: Collection<T>,
    options: CallOptions,
    lists: SharedReads,
): Promise<readonly T[]> {
    let notFound!: ApiError;
    const items = await watch({
        lists,
        deadlineAt: Infinity,
        absence: new Absence(lists.clock, collection.parent === undefined ? goneAfterMs : 0),
        read: () =>
            collection.list(options).catch((error: unknown) => {
                if (!isNotFound(error)) {
                    throw error;
                }
                notFound = error;
                return undefined;
            }),
        timedOut: () => noResponse(collection),
    });
    return items ?? listOfDeleted(collection, notFound, options, lists);
}

/** The empty list of a deleted parent. Fails if the parent exists, or is a project. */
async function listOfDeleted<T>(
    collection: Collection<T>,
    notFound: ApiError,
    options: CallOptions,
    lists: SharedReads,
): Promise<readonly T[]> {
    const { parent } = collection;
    if (parent === undefined) {
        throw notFound;
    }
    const malformed: unknown[] = [];
    const withMalformed = { ...options, onMalformed: (entry: unknown) => malformed.push(entry) };
    const parents = await undefinedIfNotFound(listCollection(parent.collection, withMalformed, lists));
    if ([...(parents ?? []), ...malformed].some((entry) => parent.collection.idOf(entry) === parent.id)) {
        const problem = `${parent.id} exists, but the list of its contents does not`;
        throw new InvalidResponseError(notFound.call, notFound.status, problem, "contract");
    }
    if (parent.collection.parent === undefined) {
        throw new ProjectNotFoundError(notFound);
    }
    return [];
}
