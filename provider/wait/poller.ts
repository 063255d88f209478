import type { CallOptions } from "../api/client";
import type { Clock } from "../api/clock";
import { isRateLimited } from "../api/errors";
import { confirmedListing, malformedOf, type Listing, type Source } from "./listing";
import { leastGapMs, notFoundPollMs, rateLimitedPollMs, sharedGapMs } from "./schedule";

/** What a poll found. */
export interface Found<T> {
    /** Returns an item that a watcher of this poll waits for. */
    readonly find: (id: string) => T | undefined;
    /** The whole list. Empty if nothing reads it. */
    readonly listing: Listing<T>;
}

/** A wait for one item of a source, or a read of its list. */
export interface Watcher<T> {
    /** The item. Absent for a read of the list. */
    readonly id?: string;
    /** When the next poll is due. The watcher must update it after each poll. */
    readonly dueAt: number;
    /** Called when the watcher has joined these watchers. */
    joins?(watchers: Iterable<Watcher<T>>): void;
    /**
     * Receives the result of a poll that started after the watcher was added. `random`, from 0 to 1, spreads the next
     * poll.
     */
    seen(found: Found<T>, random: number): void;
    /** Receives what a slow poll waits for. */
    slow(waitsFor: string): void;
    /** Receives the error of a poll, or of the call to `seen`. */
    pollFailed(error: unknown, random: number): void;
}

/** Polls for all waits and reads of the process. Those on the same source share its polls, which run one at a time. */
export class Poller {
    private readonly groups = new Map<string, PollGroup<unknown>>();

    constructor(
        private readonly clock: Clock,
        private readonly random: () => number,
    ) {}

    /** Adds a watcher. */
    watch<T>(source: Source<T>, watcher: Watcher<T>): void {
        const existing = this.groups.get(source.key) as PollGroup<T> | undefined;
        const group = existing ?? new PollGroup(source, this.clock, this.random);
        this.groups.set(source.key, group);
        group.add(watcher);
    }

    /** Removes a watcher, which receives nothing more. */
    leave<T>(source: Source<T>, watcher: Watcher<T>): void {
        this.groups.get(source.key)?.remove(watcher);
    }
}

/** The polls of one source. A poll reads the list, unless it serves only waits for one item. */
class PollGroup<T> {
    private readonly watchers = new Set<Watcher<T>>();
    /** The watchers that the current poll serves. It is aborted when the last one leaves. */
    private present = new Set<Watcher<T>>();
    private end = new AbortController();
    private wake = new AbortController();
    private isRunning = false;
    /** When the last poll began, and the last one for waits. */
    private polledAt = -Infinity;
    private waitsPolledAt = -Infinity;
    /** The last read of a single entry returned 404, which the list must confirm. */
    private notFound = false;

    constructor(
        private readonly source: Source<T>,
        private readonly clock: Clock,
        private readonly random: () => number,
    ) {}

    add(watcher: Watcher<T>): void {
        this.watchers.add(watcher);
        watcher.joins?.(this.watchers);
        this.wake.abort();
        if (!this.isRunning) {
            void this.run();
        }
    }

    remove(watcher: Watcher<T>): void {
        this.watchers.delete(watcher);
        if (this.present.delete(watcher) && this.present.size === 0) {
            this.end.abort();
        }
        if (this.watchers.size === 0) {
            this.waitsPolledAt = -Infinity;
            this.notFound = false;
        }
        this.wake.abort();
    }

    private async run(): Promise<void> {
        this.isRunning = true;
        while (this.watchers.size > 0) {
            await this.sleepUntilDue();
            if (this.nextPollAt() <= this.clock.now()) {
                await this.poll();
            }
        }
        this.isRunning = false;
    }

    private async sleepUntilDue(): Promise<void> {
        this.wake = new AbortController();
        // After an early wake-up, the due time is computed again.
        await this.clock
            .sleep(Math.max(this.nextPollAt() - this.clock.now(), 0), this.wake.signal)
            .catch(() => undefined);
    }

    private nextPollAt(): number {
        const earliest = { wait: Infinity, read: Infinity };
        for (const watcher of this.watchers) {
            const kind = isRead(watcher) ? "read" : "wait";
            earliest[kind] = Math.min(earliest[kind], watcher.dueAt);
        }
        return Math.min(
            Math.max(earliest.wait, this.waitsPolledAt + this.waitsGapMs()),
            Math.max(earliest.read, this.polledAt + sharedGapMs),
        );
    }

    /** The minimum interval between polls for waits. Two lists in quick succession do not prove that an item is missing. */
    private waitsGapMs(): number {
        return this.watchers.size > 1 ? leastGapMs : 0;
    }

    private async poll(): Promise<void> {
        const now = this.clock.now();
        const isForWaits = this.waitsPolledAt + this.waitsGapMs() <= now;
        this.present = new Set([...this.watchers].filter((watcher) => isForWaits || isRead(watcher)));
        this.polledAt = now;
        if (![...this.present].every(isRead)) {
            this.waitsPolledAt = now;
        }
        // Watchers of one poll get the same number, so that they also share the next poll.
        const random = this.random();
        let found: Found<T>;
        try {
            found = await this.fetch();
        } catch (error) {
            this.notify((watcher) => watcher.pollFailed(error, random), random);
            return;
        }
        this.notify((watcher) => watcher.seen(found, random), random);
    }

    /** Notifies the watchers that have not left. An error in one watcher does not affect the others. */
    private notify(send: (watcher: Watcher<T>) => void, random: number): void {
        this.present.forEach((watcher) => {
            try {
                send(watcher);
            } catch (error) {
                watcher.pollFailed(error, random);
            }
        });
    }

    private async fetch(): Promise<Found<T>> {
        this.end = new AbortController();
        const { signal } = this.end;
        const options: CallOptions = {
            signal,
            // Each watcher has its own deadline. The poll ends with the last watcher.
            deadlineAt: Infinity,
            // A failed poll is not retried, because the watchers repeat it. Only 429 is retried, unless there is a read.
            onRetry: ({ failure, failingMs, pauseMs }) =>
                isRateLimited(failure) && failingMs + pauseMs <= rateLimitedPollMs && ![...this.watchers].some(isRead),
            onSlow: (waitsFor) => this.present.forEach((watcher) => watcher.slow(waitsFor)),
        };
        const ids = new Set([...this.present].map(({ id }) => id));
        const [only] = ids;
        if (ids.size === 1 && only !== undefined && this.source.get && !this.notFound) {
            const item = await this.source.get(only, options);
            this.notFound = item === undefined;
            return { find: () => item, listing: { items: [], malformed: [] } };
        }
        const listing = await confirmedListing(this.source, options, () => this.clock.sleep(notFoundPollMs, signal));
        this.notFound = false;
        const items = new Map(listing.items.map((item) => [this.source.idOf(item), item]));
        const unclear = [...ids].flatMap((id) => {
            const malformed = id === undefined || items.has(id) ? undefined : malformedOf(listing, id);
            return id === undefined || malformed === undefined ? [] : [{ id, error: malformed.error }];
        });
        const reads = await Promise.all(
            unclear.map(async ({ id, error }) => [id, await this.fetchOne(id, error, options)] as const),
        );
        const results = new Map(reads);
        return { find: (id) => results.get(id)?.() ?? items.get(id), listing };
    }

    /** Reads an item whose list entry is malformed. */
    private async fetchOne(id: string, error: Error, options: CallOptions): Promise<() => T | undefined> {
        try {
            const item = await (this.source.get?.(id, options) ?? Promise.reject(error));
            return () => item;
        } catch (failure) {
            return () => {
                throw failure;
            };
        }
    }
}

function isRead({ id }: Watcher<never>): boolean {
    return id === undefined;
}
