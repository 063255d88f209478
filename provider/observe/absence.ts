import type { Clock } from "../api/clock";
import { flickersWithinMs, provesAbsenceAfterMs } from "./schedule";

/**
 * Decides when a resource is gone. One response without it is not proof: it can be an error of the API, and a new
 * resource may not be visible to all servers of the API yet.
 */
export class Absence {
    private newUntil: number | undefined;
    private missingSince: number | undefined;
    private wasSeen = false;
    private misses = 0;

    /** The resource may be new for this time after the first response. */
    constructor(
        private readonly clock: Clock,
        private readonly appearsWithinMs = 0,
    ) {}

    /** Whether the next read must use the list, which confirms or refutes a 404 for the resource itself. */
    get needsList(): boolean {
        return this.misses % 2 === 1;
    }

    /** Records a response with the resource. */
    found(): void {
        this.newUntil ??= this.clock.now() + this.appearsWithinMs;
        this.missingSince = undefined;
        this.wasSeen = true;
        this.misses = 0;
    }

    /** Records a response without the resource. Returns whether the resource is gone. */
    missing(): boolean {
        const now = this.clock.now();
        this.newUntil ??= now + this.appearsWithinMs;
        this.missingSince ??= now;
        this.misses += 1;
        const isNew = now < this.newUntil;
        if (isNew && !this.wasSeen) {
            return false;
        }
        return now - this.missingSince >= (isNew ? flickersWithinMs : provesAbsenceAfterMs);
    }
}
