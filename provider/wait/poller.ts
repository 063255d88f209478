import type { MalformedEntry } from "../api/client";
import type { Clock } from "../api/clock";
import { confirmedListing, listingOf, malformedOf } from "./listing";
import { leastGapMs, notFoundPollMs } from "./schedule";

/** How one look behaves. */
export interface PollOptions {
    readonly signal?: AbortSignal | undefined;
    /** How long failures that may pass are tried again, in milliseconds; a moment where it is left out. */
    readonly retryBudgetMs?: number | undefined;
    /** Receives the malformed entries of a list, which the result leaves out; without it one such entry fails the look. */
    readonly onMalformed?: ((entry: MalformedEntry) => void) | undefined;
}

/** A collection of the service that one list call answers. */
export interface Source<T> {
    /** The same for everything that the same list answers. */
    readonly key: string;
    list(options?: PollOptions): Promise<readonly T[]>;
    idOf(item: T): string;
    /** One item by itself, or undefined when it is not there; absent where the service has no such call. */
    readonly get?: (id: string, options?: PollOptions) => Promise<T | undefined>;
    /** The resource below which the collection is, with its own collection; absent for a collection of the project itself. */
    readonly parent?: { readonly source: Source<unknown>; readonly id: string };
}

/** Someone who waits for one item of a source. */
export interface Watcher<T> {
    readonly id: string;
    /** When the next look is due; read anew after each look, so the watcher has to move it on. */
    readonly dueAt: number;
    /** What a look saw that was begun after the watcher came, and the chance, of 0 to 1, that spreads the next one. */
    seen(item: T | undefined, chance: number): void;
    /** The look failed, or being told of it did. */
    pollFailed(error: unknown, chance: number): void;
}

/** All waits of the process: whoever waits on the same source shares its looks, of which one at a time is under way. */
export class Poller {
    private readonly groups = new Map<string, PollGroup<unknown>>();

    constructor(
        private readonly clock: Clock,
        private readonly random: () => number,
    ) {}

    /** Adds a watcher; the answer takes it away again. */
    watch<T>(source: Source<T>, watcher: Watcher<T>): () => void {
        const known = this.groups.get(source.key) as PollGroup<T> | undefined;
        const round = known ?? new PollGroup(source, this.clock, this.random, () => this.groups.delete(source.key));
        if (!known) {
            this.groups.set(source.key, round);
        }
        return round.add(watcher);
    }
}

/** The looks at one source, for as long as anyone watches it. */
class PollGroup<T> {
    private readonly watchers = new Set<Watcher<T>>();
    private readonly over = new AbortController();
    /** A look that fails, other than for too many requests, is not repeated: the schedule brings the next one. */
    private readonly options: PollOptions = { signal: this.over.signal, retryBudgetMs: 0 };
    private wake = new AbortController();
    private polledAt = -Infinity;
    /** The last read of a single entry was answered 404, which only the list can confirm. */
    private notFound = false;

    constructor(
        private readonly source: Source<T>,
        private readonly clock: Clock,
        private readonly random: () => number,
        private readonly onEnd: () => void,
    ) {}

    add(watcher: Watcher<T>): () => void {
        const first = this.watchers.size === 0;
        this.watchers.add(watcher);
        if (first) {
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
                this.over.abort();
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
        // Waking early only means that the due time is worked out again.
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
        // The same for all who share the look, so that they share the next one too.
        const chance = this.random();
        let find: (id: string) => T | undefined;
        try {
            find = await this.fetch(present);
        } catch (error) {
            present.forEach((watcher) => this.notify(watcher, () => watcher.pollFailed(error, chance), chance));
            return;
        }
        present.forEach((watcher) => this.notify(watcher, () => watcher.seen(find(watcher.id), chance), chance));
    }

    /** A watcher may have left meanwhile; and what goes wrong in one is its own affair and not that of the others. */
    private notify(watcher: Watcher<T>, news: () => void, chance: number): void {
        if (!this.watchers.has(watcher)) {
            return;
        }
        try {
            news();
        } catch (error) {
            watcher.pollFailed(error, chance);
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
            () => this.clock.sleep(notFoundPollMs, this.over.signal),
        );
        this.notFound = false;
        const items = new Map(listing.items.map((item) => [this.source.idOf(item), item]));
        const unclear = [...ids].flatMap((id) => {
            const malformed = items.has(id) ? undefined : malformedOf(listing, id);
            return malformed === undefined ? [] : [{ id, error: malformed.error }];
        });
        const asked = await Promise.all(
            unclear.map(async ({ id, error }) => [id, await this.fetchOne(id, error)] as const),
        );
        const answers = new Map(asked);
        return (id) => answers.get(id)?.() ?? items.get(id);
    }

    /** What a list does not tell for a malformed entry, a read of the item itself may. */
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
