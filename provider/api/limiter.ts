import type { Clock } from "./clock";

/** The gap between requests after the first 429. */
const firstGapMs = 100;
/** The maximum gap between requests. */
const maxGapMs = 5_000;
/** Each successful request reduces the gap by this factor. */
const recovery = 0.95;
/** A smaller gap is set to 0. */
const minGapMs = 10;
/** The API may request a longer pause from one caller. The other callers wait at most this long. */
const maxPauseMs = 60_000;

/** The sequence number of a request. */
export type Slot = number;

/**
 * Limits the request rate of the process. A 429 slows down all callers, and successful requests restore the rate step
 * by step.
 */
export class Limiter {
    private gapMs = 0;
    private nextAt = 0;
    private slots: Slot = 0;
    /** The last slot before the rate was reduced. Its result and earlier ones do not count for the new rate. */
    private slowedAfter: Slot = 0;
    private last: Promise<void> = Promise.resolve();

    constructor(private readonly clock: Clock) {}

    /** Resolves when the caller may send its request. Callers are served in order. */
    async acquire(signal?: AbortSignal): Promise<Slot> {
        // A caller that was aborted leaves the queue when its turn comes.
        const turn = this.last.then(() => this.pause(signal));
        this.last = turn.catch(() => undefined);
        await turn;
        return (this.slots += 1);
    }

    /** The request of this slot failed with 429. */
    rateLimited(slot: Slot, retryAfterMs: number | undefined): void {
        if (slot > this.slowedAfter) {
            this.gapMs = Math.min(Math.max(this.gapMs * 2, firstGapMs), maxGapMs);
            this.slowedAfter = this.slots;
        }
        const pauseMs = Math.min(retryAfterMs ?? this.gapMs, maxPauseMs);
        this.nextAt = Math.max(this.nextAt, this.clock.now() + pauseMs);
    }

    /** The request of this slot succeeded. */
    accepted(slot: Slot): void {
        if (slot > this.slowedAfter) {
            const gap = this.gapMs * recovery;
            this.gapMs = gap < minGapMs ? 0 : gap;
        }
    }

    private async pause(signal: AbortSignal | undefined): Promise<void> {
        signal?.throwIfAborted();
        // A 429 may arrive during the sleep and postpone the next request.
        for (let now = this.clock.now(); now < this.nextAt; now = this.clock.now()) {
            await this.clock.sleep(this.nextAt - now, signal);
        }
        this.nextAt = this.clock.now() + this.gapMs;
    }
}
