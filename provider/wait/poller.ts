import type { CallOptions } from "../api/client";
import type { Clock } from "../api/clock";
import { isRateLimited } from "../api/errors";
import { confirmedListing, listingOf, malformedOf, type Source } from "./listing";
import { leastGapMs, notFoundPollMs, rateLimitedPollMs } from "./schedule";

/** A wait for one item of a source. */
export interface Watcher<T> {
    readonly id: string;
    /** When the next poll is due. The watcher must update it after each poll. */
    readonly dueAt: number;
    /**
     * Receives the result of a poll that started after the watcher was added. `random`, from 0 to 1, spreads the next
     * poll.
     */
    seen(item: T | undefined, random: number): void;
    /** Receives what a slow poll waits for. */
    slow(waitsFor: string): void;
    /** Receives the error of a poll, or of the call to `seen`. */
    pollFailed(error: unknown, random: number): void;
}

/** Polls for all waits of the process. Waits on the same source share its polls, which run one at a time. */
export class Poller {
    private readonly groups = new Map<string, PollGroup<unknown>>();

    constructor(
        private readonly clock: Clock,
        private readonly random: () => number,
    ) {}

    /** Adds a watcher. Returns a function that removes it. */
    watch<T>(source: Source<T>, watcher: Watcher<T>): () => void {
        const existing = this.groups.get(source.key) as PollGroup<T> | undefined;
        const group = existing ?? new PollGroup(source, this.clock, this.random, () => this.groups.delete(source.key));
        if (!existing) {
            this.groups.set(source.key, group);
        }
        return group.add(watcher);
    }
}

/** The polls of one source while it has watchers. */
class PollGroup<T> {
    private readonly watchers = new Set<Watcher<T>>();
    private readonly end = new AbortController();
    private readonly options: CallOptions = {
        signal: this.end.signal,
        // Each watcher has its own deadline. The poll ends with the last watcher.
        deadlineAt: Infinity,
        // A failed poll is not retried, because the schedule repeats it. Only 429 is retried.
        onRetry: ({ failure, failingMs, pauseMs }) =>
            isRateLimited(failure) && failingMs + pauseMs <= rateLimitedPollMs,
        onSlow: (waitsFor) => this.watchers.forEach((watcher) => watcher.slow(waitsFor)),
    };
    private wake = new AbortController();
    private polledAt = -Infinity;
    /** The last read of a single entry returned 404, which the list must confirm. */
    private notFound = false;

    constructor(
        private readonly source: Source<T>,
        private readonly clock: Clock,
        private readonly random: () => number,
        private readonly onEnd: () => void,
    ) {}

    add(watcher: Watcher<T>): () => void {
        const isFirst = this.watchers.size === 0;
        this.watchers.add(watcher);
        if (isFirst) {
            void this.run();
        } else {
            this.wake.abort();
        }
        return () => {
            if (!this.watchers.delete(watcher)) {
                return;
            }
            if (this.watchers.size === 0) {
                this.onEnd();
                this.end.abort();
            }
            this.wake.abort();
        };
    }

    private async run(): Promise<void> {
        while (this.watchers.size > 0) {
            await this.sleepUntilDue();
            const present = [...this.watchers];
            if (present.some((watcher) => watcher.dueAt <= this.clock.now())) {
                await this.poll(present);
            }
        }
    }

    private async sleepUntilDue(): Promise<void> {
        const gapMs = this.watchers.size > 1 ? leastGapMs : 0;
        const dueAt = Math.max(this.earliestDue(), this.polledAt + gapMs);
        this.wake = new AbortController();
        // After an early wake-up, the due time is computed again.
        await this.clock.sleep(Math.max(dueAt - this.clock.now(), 0), this.wake.signal).catch(() => undefined);
    }

    private earliestDue(): number {
        let earliest = Infinity;
        for (const { dueAt } of this.watchers) {
            earliest = Math.min(earliest, dueAt);
        }
        return earliest;
    }

    private async poll(present: readonly Watcher<T>[]): Promise<void> {
        this.polledAt = this.clock.now();
        // Watchers of one poll get the same number, so that they also share the next poll.
        const random = this.random();
        let find: (id: string) => T | undefined;
        try {
            find = await this.fetch(present);
        } catch (error) {
            present.forEach((watcher) => this.notify(watcher, () => watcher.pollFailed(error, random), random));
            return;
        }
        present.forEach((watcher) => this.notify(watcher, () => watcher.seen(find(watcher.id), random), random));
    }

    /** Notifies a watcher that has not left. An error in one watcher does not affect the others. */
    private notify(watcher: Watcher<T>, send: () => void, random: number): void {
        if (!this.watchers.has(watcher)) {
            return;
        }
        try {
            send();
        } catch (error) {
            watcher.pollFailed(error, random);
        }
    }

    private async fetch(present: readonly Watcher<T>[]): Promise<(id: string) => T | undefined> {
        const ids = new Set(present.map((watcher) => watcher.id));
        const [only] = ids;
        if (ids.size === 1 && only !== undefined && this.source.get && !this.notFound) {
            const item = await this.source.get(only, this.options);
            this.notFound = item === undefined;
            return () => item;
        }
        const listing = await confirmedListing(
            this.source,
            (source) => listingOf(source, this.options),
            () => this.clock.sleep(notFoundPollMs, this.end.signal),
        );
        this.notFound = false;
        const items = new Map(listing.items.map((item) => [this.source.idOf(item), item]));
        const unclear = [...ids].flatMap((id) => {
            const malformed = items.has(id) ? undefined : malformedOf(listing, id);
            return malformed === undefined ? [] : [{ id, error: malformed.error }];
        });
        const reads = await Promise.all(
            unclear.map(async ({ id, error }) => [id, await this.fetchOne(id, error)] as const),
        );
        const results = new Map(reads);
        return (id) => results.get(id)?.() ?? items.get(id);
    }

    /** Reads an item whose list entry is malformed. */
    private async fetchOne(id: string, error: Error): Promise<() => T | undefined> {
        try {
            const item = await (this.source.get?.(id, this.options) ?? Promise.reject(error));
            return () => item;
        } catch (failure) {
            return () => {
                throw failure;
            };
        }
    }
}
