import type { CallOptions } from "../api/client";
import type { Clock } from "../api/clock";
import { untilDeadline, type Deadline } from "../api/deadline";
import { DeadlineError, type CallFailure } from "../api/errors";
import { pauseBefore } from "../api/retry";
import { RetryPolicy } from "../api/retryPolicy";
import { getItem, listSource, Listing, type Source } from "./source";
import { joinsAfterMs, sharedGapMs, shortPauseMs } from "./schedule";

/** The options of a read. It is repeated until its deadline. */
export interface ReadOptions extends Deadline, Pick<CallOptions, "onRetry" | "onSlow"> {
    /** The pause before the read. After a part of it, the caller joins the read of another one instead. */
    readonly pauseMs?: number;
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
export class Lists {
    /**
     * A number from 0 to 1 that spreads the polls of different processes. All waits of this process use the same number,
     * so that they poll together.
     */
    readonly spread: number;
    private readonly shared = new Map<string, SharedList<unknown>>();

    constructor(
        readonly clock: Clock,
        private readonly random: () => number,
    ) {
        this.spread = random();
    }

    /**
     * Reads the whole list. If `use` throws for a malformed entry, the list is read again for a while: the API may not
     * have completed the entry yet.
     */
    list<T, Result>(
        source: Source<T>,
        options: ReadOptions,
        use: (listing: Listing<T>) => Result | Promise<Result>,
    ): Promise<Result> {
        return this.repeat(source, undefined, options, use);
    }

    /**
     * Reads one item; undefined if the response lacks it. Uses the list if other callers or this one need it, otherwise a
     * request for the item.
     */
    find<T>(
        source: Source<T>,
        id: string,
        { needsList, ...options }: ReadOptions & { readonly needsList: boolean },
    ): Promise<T | undefined> {
        return this.repeat(source, needsList ? undefined : id, options, async (listing) => {
            const entry = listing.entryOf(id);
            if (entry === undefined || "item" in entry) {
                return entry?.item;
            }
            const item = await getItem(source, id, { ...options, isSingle: true });
            if (item === undefined && (entry.hasId || source.get === undefined)) {
                throw entry.malformed.error;
            }
            return item;
        });
    }

    /** Repeats a read that fails. */
    private async repeat<T, Result>(
        source: Source<T>,
        id: string | undefined,
        options: ReadOptions,
        use: (listing: Listing<T>) => Result | Promise<Result>,
    ): Promise<Result> {
        const { clock, random } = this;
        const { deadlineAt, onRetry } = options;
        const policy = new RetryPolicy("GET");
        const beganAt = clock.now();
        let { pauseMs = 0 } = options;
        let failure: CallFailure | undefined;
        const timeout = () => (failure === undefined ? noResponse(source) : DeadlineError.after(failure, 0));
        for (let attempt = 1; ; attempt++) {
            try {
                return await use(await this.next(source, id, { ...options, pauseMs }, timeout));
            } catch (error) {
                const now = clock.now();
                pauseMs = pauseBefore(attempt, error as Error, random);
                if (policy.reactionTo(error, now, pauseMs) !== "repeat") {
                    throw error;
                }
                failure = error as CallFailure;
                if (now + pauseMs >= deadlineAt) {
                    throw DeadlineError.after(failure, pauseMs);
                }
                onRetry?.({ failure, failingMs: now - beganAt, pauseMs });
            }
        }
    }

    /** The result of the next read. */
    private async next<T>(
        source: Source<T>,
        id: string | undefined,
        { pauseMs = 0, onSlow, ...limit }: ReadOptions,
        timeout: () => Error,
    ): Promise<Listing<T>> {
        const now = this.clock.now();
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

/** The reads of one list, which run one at a time. Each serves all callers that joined before it began. */
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

    /** Reads for all callers that have joined. */
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
    return new DeadlineError(
        `The API did not return the ${key} within the time limit. Check the network and whether the API is available.`,
    );
}
