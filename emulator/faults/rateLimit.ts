const SECOND_MS = 1_000;

/** Lets so many requests a second through, and as many at once after a rest. */
export class RateLimit {
    #left: number;
    #at: number;

    constructor(
        private readonly perSecond: number,
        now: number,
    ) {
        this.#left = this.#most;
        this.#at = now;
    }

    /** Takes a place; undefined when there was one, else the milliseconds until there is. */
    take(now: number): number | undefined {
        this.#left = Math.min(this.#most, this.#left + ((now - this.#at) * this.perSecond) / SECOND_MS);
        this.#at = now;
        if (this.#left < 1) return ((1 - this.#left) * SECOND_MS) / this.perSecond;
        this.#left--;
        return undefined;
    }

    get #most(): number {
        return Math.max(1, this.perSecond);
    }
}
