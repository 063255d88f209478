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
import { joinsAfterMs, sharedGapMs, shortPauseMs, Absence, notFoundPollMs, provesLossAfterMs } from "./schedule";

/** A list in a response. */
interface Listing<T> {
    readonly items: readonly T[];
    /** The malformed entries, each with the error for a caller that needs it. */
    readonly malformed: ReadonlyMap<object, Error>;
}

/** A caller that waits for the next read of a list. */
interface Caller<T> {
    /** The only item that it needs. Absent if it needs the list. */
    readonly id: string | undefined;
    readonly joinsAt: number;
    readonly dueAt: number;
    readonly onSlow: CallOptions["onSlow"];
    resolve(listing: Listing<T>): void;
    reject(error: unknown): void;
}

/** All reads of lists in the process. Callers that need the same list at the same time share one request. */
export class Lists implements SharedReads {
    /**
     * A number from 0 to 1 that spreads the polls of different processes. All waits of this process use the same number,
     * so that they poll together.
     */
    readonly spread: number;
    private readonly shared = new Map<string, SharedList<unknown>>();

    constructor(
        readonly clock: Clock,
        readonly random: () => number,
    ) {
        this.spread = random();
    }

    /** Reads the whole list, or one item of it. Fails if a malformed entry of the list is needed. */
    list<T>(
        collection: Collection<T>,
        { pauseMs: firstPauseMs = 0, ...options }: ReadOptions,
        isNeeded: (entry: object, items: readonly T[]) => boolean = () => false,
    ): Promise<readonly T[]> {
        const { clock, random } = this;
        return withRetries({ ...options, clock, random }, async (last) => {
            const { pauseMs = firstPauseMs } = last ?? {};
            const timeout = () => (last === undefined ? noResponse(collection) : DeadlineError.after(last.failure));
            const { items, malformed } = await this.next(collection, { ...options, pauseMs }, timeout);
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

    private next<T>(
        collection: Collection<T>,
        { id, pauseMs, onSlow, ...limit }: ReadOptions & { readonly pauseMs: number },
        timeout: () => Error,
    ): Promise<Listing<T>> {
        const now = this.clock.now();
        const list =
            (this.shared.get(collection.key) as SharedList<T> | undefined) ?? new SharedList(collection, this.clock);
        this.shared.set(collection.key, list);
        const joinsAt = now + (pauseMs > shortPauseMs ? joinsAfterMs : 0);
        let leave = (): void => undefined;
        const listing = new Promise<Listing<T>>((resolve, reject) => {
            leave = list.join({ id, joinsAt, dueAt: now + pauseMs, onSlow, resolve, reject });
        });
        return untilDeadline(limit, this.clock, timeout, () => listing).finally(leave);
    }
}

/** The reads of one list, which run one at a time. Each serves the callers whose `joinsAt` has come when it begins. */
class SharedList<T> {
    /** The callers that wait for the next read. */
    private readonly waiting = new Set<Caller<T>>();
    /** The pause before that read. It ends early if a caller needs an earlier one, or if the last caller leaves. */
    private pause = { until: Infinity, end: new AbortController() };
    private beganAt = -Infinity;
    private isRunning = false;

    constructor(
        private readonly collection: Collection<T>,
        private readonly clock: Clock,
    ) {}

    /** Adds a caller, and returns a function that removes it. */
    join(caller: Caller<T>): () => void {
        this.waiting.add(caller);
        if (caller.dueAt < this.pause.until) {
            this.pause.end.abort();
        }
        if (!this.isRunning) {
            void this.run();
        }
        return () => this.leave(caller);
    }

    private leave(caller: Caller<T>): void {
        if (this.waiting.delete(caller) && this.waiting.size === 0) {
            this.pause.end.abort();
        }
    }

    private async run(): Promise<void> {
        this.isRunning = true;
        while (this.waiting.size > 0) {
            const [until, end] = [this.dueAt(), new AbortController()];
            this.pause = { until, end };
            await this.clock.sleep(Math.max(until - this.clock.now(), 0), end.signal).catch(() => undefined);
            // Callers may have joined or left meanwhile.
            if (this.dueAt() <= this.clock.now()) {
                await this.serve();
            }
        }
        this.isRunning = false;
    }

    private dueAt(): number {
        return Math.max(Math.min(...[...this.waiting].map(({ dueAt }) => dueAt)), this.beganAt + sharedGapMs);
    }

    /** Reads for the callers whose `joinsAt` has come. */
    private async serve(): Promise<void> {
        const now = this.clock.now();
        const callers = [...this.waiting].filter(({ joinsAt }) => joinsAt <= now);
        callers.forEach((caller) => this.waiting.delete(caller));
        this.beganAt = now;
        try {
            const listing = await this.fetch(callers);
            callers.forEach((caller) => caller.resolve(listing));
        } catch (error) {
            callers.forEach((caller) => caller.reject(error));
        }
    }

    private async fetch(callers: readonly Caller<T>[]): Promise<Listing<T>> {
        const { collection, clock } = this;
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
        return { items: await listCollection(collection, { ...options, onMalformed }, clock), malformed };
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
export async function listCollection<T>(
    collection: Collection<T>,
    options: CallOptions,
    clock: Clock,
): Promise<readonly T[]> {
    const absence = new Absence(clock, collection.parent === undefined ? provesLossAfterMs : undefined);
    for (;;) {
        try {
            return await collection.list(options);
        } catch (error) {
            if (!isNotFound(error)) {
                throw error;
            }
            if (absence.missing()) {
                return listOfDeleted(collection, error, options, clock);
            }
        }
        await clock.sleep(notFoundPollMs, options.signal);
    }
}

/** The empty list of a deleted parent. Fails if the parent exists, or is a project. */
async function listOfDeleted<T>(
    collection: Collection<T>,
    notFound: ApiError,
    options: CallOptions,
    clock: Clock,
): Promise<readonly T[]> {
    const { parent } = collection;
    if (parent === undefined) {
        throw notFound;
    }
    const malformed: unknown[] = [];
    const withMalformed = { ...options, onMalformed: (entry: unknown) => malformed.push(entry) };
    const parents = await undefinedIfNotFound(listCollection(parent.collection, withMalformed, clock));
    if ([...(parents ?? []), ...malformed].some((entry) => parent.collection.idOf(entry) === parent.id)) {
        const problem = `${parent.id} exists, but the list of its contents does not`;
        throw new InvalidResponseError(notFound.call, notFound.status, problem, "contract");
    }
    if (parent.collection.parent === undefined) {
        throw new ProjectNotFoundError(notFound);
    }
    return [];
}
