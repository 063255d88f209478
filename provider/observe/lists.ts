import { way } from "../inputs/message";
import type { CallOptions } from "../api/client";
import { type Clock, untilDeadline } from "../api/clock";
import { DeadlineError } from "../api/errors";
import { withRetries } from "../api/retry";
import { getItem, listSource } from "./source";
import { Listing, type ReadOptions, type SharedReads, type Source } from "../contract/source";
import { joinsAfterMs, sharedGapMs, shortPauseMs } from "./schedule";

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

    /** Reads the whole list. */
    list<T>(source: Source<T>, options: ReadOptions): Promise<Listing<T>> {
        return this.next(source, undefined, options);
    }

    /**
     * Reads one item; undefined if the response lacks it. Uses the list if other callers or this one need it, otherwise a
     * request for the item. If its entry in the list is malformed, requests the item alone, and fails if that returns none.
     */
    async find<T>(
        source: Source<T>,
        id: string,
        { needsList, ...options }: ReadOptions & { readonly needsList: boolean },
    ): Promise<T | undefined> {
        const listing = await this.next(source, needsList ? undefined : id, options);
        const entry = listing.entryOf(id);
        if (entry === undefined || "item" in entry) {
            return entry?.item;
        }
        const item = await getItem(source, id, { ...options, isSingle: true });
        if (item === undefined && (entry.hasId || source.get === undefined)) {
            throw entry.malformed.error;
        }
        return item;
    }

    private async next<T>(
        source: Source<T>,
        id: string | undefined,
        { pauseMs = 0, onSlow, ...limit }: ReadOptions,
    ): Promise<Listing<T>> {
        const now = this.clock.now();
        const timeout = () => noResponse(source);
        limit.signal?.throwIfAborted();
        if (limit.deadlineAt <= now) {
            throw timeout();
        }
        const list = (this.shared.get(source.key) as SharedList<T> | undefined) ?? new SharedList(source, this.clock);
        this.shared.set(source.key, list);
        const joinsAt = now + (pauseMs > shortPauseMs ? joinsAfterMs : 0);
        let leave = (): void => undefined;
        const listing = new Promise<Listing<T>>((resolve, reject) => {
            leave = list.join({ id, joinsAt, dueAt: now + pauseMs, onSlow, resolve, reject });
        });
        return untilDeadline(limit, this.clock, timeout, () => listing).finally(leave);
    }
}

/**
 * Repeats a read that fails, until its deadline. The API may also not have completed an entry yet, so a read that fails
 * for a malformed entry is repeated for a while.
 */
export function repeated<T>(
    { clock, random }: SharedReads,
    options: ReadOptions & Pick<CallOptions, "onRetry">,
    read: (options: ReadOptions) => Promise<T>,
): Promise<T> {
    return withRetries({ ...options, method: "GET", clock, random }, (last) =>
        last === undefined
            ? read(options)
            : read({ ...options, pauseMs: last.pauseMs }).catch((error: unknown) => {
                  throw error instanceof DeadlineError ? DeadlineError.after(last.failure) : error;
              }),
    );
}

/** The reads of one list, which run one at a time. Each serves the callers whose `joinsAt` has come when it begins. */
class SharedList<T> {
    private readonly callers = new Set<Caller<T>>();
    /** The callers of the read in progress. It is aborted when the last one leaves. */
    private served = new Set<Caller<T>>();
    private unused = new AbortController();
    private beganAt = -Infinity;
    private wake = new AbortController();
    private wakesAt = Infinity;
    private isRunning = false;

    constructor(
        private readonly source: Source<T>,
        private readonly clock: Clock,
    ) {}

    /** Adds a caller, and returns a function that removes it. */
    join(caller: Caller<T>): () => void {
        this.callers.add(caller);
        if (caller.dueAt < this.wakesAt) {
            this.wake.abort();
        }
        if (!this.isRunning) {
            void this.run();
        }
        return () => this.leave(caller);
    }

    private leave(caller: Caller<T>): void {
        if (this.callers.delete(caller) && this.callers.size === 0) {
            this.wake.abort();
        }
        if (this.served.delete(caller) && this.served.size === 0) {
            this.unused.abort();
        }
    }

    private async run(): Promise<void> {
        this.isRunning = true;
        while (this.callers.size > 0) {
            this.wake = new AbortController();
            this.wakesAt = this.dueAt();
            const pauseMs = Math.max(this.wakesAt - this.clock.now(), 0);
            await this.clock.sleep(pauseMs, this.wake.signal).catch(() => undefined);
            // Callers may have joined or left meanwhile.
            if (this.dueAt() <= this.clock.now()) {
                await this.serve();
            }
        }
        this.isRunning = false;
    }

    private dueAt(): number {
        return Math.max(Math.min(...[...this.callers].map(({ dueAt }) => dueAt)), this.beganAt + sharedGapMs);
    }

    /** Reads for the callers whose `joinsAt` has come. */
    private async serve(): Promise<void> {
        this.beganAt = this.clock.now();
        this.served = new Set([...this.callers].filter(({ joinsAt }) => joinsAt <= this.beganAt));
        this.served.forEach((caller) => this.callers.delete(caller));
        try {
            const listing = await this.fetch();
            this.served.forEach((caller) => caller.resolve(listing));
        } catch (error) {
            this.served.forEach((caller) => caller.reject(error));
        }
    }

    private async fetch(): Promise<Listing<T>> {
        const { source, served, clock } = this;
        this.unused = new AbortController();
        const options: CallOptions = {
            signal: this.unused.signal,
            // Each caller has its own deadline, and repeats a failed read itself.
            deadlineAt: Infinity,
            isSingle: true,
            onSlow: (waitsFor) => served.forEach(({ onSlow }) => onSlow?.(waitsFor)),
        };
        const ids = new Set([...served].map(({ id }) => id));
        const [id] = ids;
        if (ids.size === 1 && id !== undefined && source.get) {
            const item = await getItem(source, id, options);
            return new Listing(source, item === undefined ? [] : [item]);
        }
        return listSource(source, options, clock);
    }
}

function noResponse({ key }: Source<unknown>): DeadlineError {
    return new DeadlineError({
        what: `The API did not respond to GET ${key} within the time limit.`,
        ways: [way("Check", "the network and whether the API is available")],
    });
}
