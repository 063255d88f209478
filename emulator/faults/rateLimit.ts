const secondMs = 1_000;

/** A token bucket that accepts this number of requests per second, and as many at once after a pause. */
export class RateLimit {
    private readonly most: number;
    private left: number;
    private at: number;

    constructor(
        private readonly perSecond: number,
        now: number,
    ) {
        this.most = Math.max(1, perSecond);
        this.left = this.most;
        this.at = now;
    }

    /** Takes a token. Undefined if there was one, otherwise the milliseconds until the next one. */
    take(now: number): number | undefined {
        this.left = Math.min(this.most, this.left + ((now - this.at) * this.perSecond) / secondMs);
        this.at = now;
        if (this.left < 1) {
            return ((1 - this.left) * secondMs) / this.perSecond;
        }
        this.left--;
        return undefined;
    }
}
