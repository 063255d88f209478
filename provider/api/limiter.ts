import type { Clock } from "./clock";

/** After the first refusal requests are at least this far apart. */
const firstGapMs = 100;
/** However often the service refuses, requests are never further apart than this. */
const longestGapMs = 5_000;
/** Each request that succeeds brings the next one closer by this factor. */
const recovery = 0.9;
/** A gap below this is none. */
const smallestGapMs = 10;
/** However long the service asks one caller to come back later, the others are not kept waiting for longer than this. */
const longestPauseMs = 60_000;

/** The number of a request in the row of all requests. */
export type Slot = number;

/** One pace for all requests of the process: a refusal slows every caller down, success brings the speed back little by little. */
export class Limiter {
    private gapMs = 0;
    private nextAt = 0;
    private slots: Slot = 0;
    /** The last turn that was taken before the pace was slowed down; its fate and that of earlier ones says nothing about the new pace. */
    private slowedAfter: Slot = 0;
    private last: Promise<unknown> = Promise.resolve();

    constructor(private readonly clock: Clock) {}

    /** Resolves when it is this caller's turn; callers go in the order in which they came. */
    async acquire(signal?: AbortSignal): Promise<Slot> {
        signal?.throwIfAborted();
        const before = this.last;
        const mine = unlessAborted(before, signal).then(() => this.pause(signal));
        // Without an answer: that would hold those of all turns before.
        this.last = Promise.allSettled([before, mine]).then(() => undefined);
        await mine;
        return (this.slots += 1);
    }

    /** The service said to the request of a turn that there are too many, and perhaps when to come back. */
    rateLimited(turn: Slot, retryAfterMs: number | undefined): void {
        if (turn > this.slowedAfter) {
            this.gapMs = Math.min(Math.max(this.gapMs * 2, firstGapMs), longestGapMs);
            this.slowedAfter = this.slots;
        }
        const pauseMs = Math.min(retryAfterMs ?? this.gapMs, longestPauseMs);
        this.nextAt = Math.max(this.nextAt, this.clock.now() + pauseMs);
    }

    /** The service carried the request of a turn out. */
    accepted(turn: Slot): void {
        if (turn > this.slowedAfter) {
            const gap = this.gapMs * recovery;
            this.gapMs = gap < smallestGapMs ? 0 : gap;
        }
    }

    private async pause(signal: AbortSignal | undefined): Promise<void> {
        // A refusal may come during the sleep and move the time on.
        for (let now = this.clock.now(); now < this.nextAt; now = this.clock.now()) {
            await this.clock.sleep(this.nextAt - now, signal);
        }
        this.nextAt = this.clock.now() + this.gapMs;
    }
}

function unlessAborted(promise: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
        const onAbort = () => reject(signal?.reason as Error);
        signal?.addEventListener("abort", onAbort, { once: true });
        void promise.then(() => {
            signal?.removeEventListener("abort", onAbort);
            resolve();
        });
    });
}
