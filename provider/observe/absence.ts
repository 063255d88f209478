import type { Clock } from "../api/clock";
import { provesAbsenceAfterMs } from "./schedule";

/**
 * Decides when a resource is gone. One response without it is not proof: it can be an error of the API, and a new
 * resource may not be visible to all servers of the API yet.
 */
export class Absence {
    private newUntil: number | undefined;
    private missingSince: number | undefined;
    private misses = 0;

    constructor(
        private readonly clock: Clock,
        /** A resource that is missing for this time is gone. */
        private readonly provesMs = provesAbsenceAfterMs,
        /** Until a response has the resource, it may be new for this time after the first response. */
        private readonly appearsMs = 0,
    ) {}

    /** How long responses without the resource leave a doubt. */
    get doubtMs(): number {
        return Math.max(this.provesMs, this.appearsMs);
    }

    /** Whether the next read must use the list, which confirms or refutes a 404 for the resource itself. */
    get needsList(): boolean {
        return this.misses % 2 === 1;
    }

    /** Records a response with the resource. */
    found(): void {
        this.newUntil = -Infinity;
        this.missingSince = undefined;
        this.misses = 0;
    }

    /** Records a response without the resource. Returns whether the resource is gone. */
    missing(): boolean {
        const now = this.clock.now();
        this.newUntil ??= now + this.appearsMs;
        this.missingSince ??= now;
        this.misses += 1;
        return now >= this.newUntil && now - this.missingSince >= this.provesMs;
    }
}
