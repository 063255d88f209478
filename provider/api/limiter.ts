import type { Clock } from "./clock";

/** After the first refusal requests are at least this far apart. */
const firstGapMs = 100;
/** However often the service refuses, requests are never further apart than this. */
const longestGapMs = 5_000;
/** Each request that is not refused brings the next one closer by this factor. */
const recovery = 0.9;
/** A gap below this is none. */
const smallestGapMs = 10;

/** One pace for all requests of the process: a refusal slows every caller down, success brings the speed back little by little. */
export class Limiter {
    private gapMs = 0;
    private nextAt = 0;

    constructor(private readonly clock: Clock) {}

    /** Resolves when it is this caller's turn; callers go in the order in which they came. */
    async turn(signal?: AbortSignal): Promise<void> {
        for (;;) {
            const now = this.clock.now();
            if (now >= this.nextAt) {
                this.nextAt = now + this.gapMs;
                return;
            }
            await this.clock.sleep(this.nextAt - now, signal);
        }
    }

    /** The service said that there are too many requests, and perhaps when to come back. */
    refused(retryAfterMs: number | undefined): void {
        this.gapMs = Math.min(Math.max(this.gapMs * 2, firstGapMs), longestGapMs);
        this.nextAt = Math.max(this.nextAt, this.clock.now() + (retryAfterMs ?? this.gapMs));
    }

    /** The service carried a request out. */
    accepted(): void {
        const gap = this.gapMs * recovery;
        this.gapMs = gap < smallestGapMs ? 0 : gap;
    }
}
