import { longestListLagMs } from "../api/settings";
import type { Clock } from "../api/clock";

/** The time of the first poll: long enough for a small change to finish, and too short for a person to notice. */
const firstPollMs = 300;
/**
 * The interval of early polls, about once a second. The average delay after a change has ended is below half a second,
 * including the request.
 */
const earlyPollMs = 820;
/**
 * The interval of later polls, as a fraction of the elapsed time. Keeps the delay below half a second for a change of one
 * minute, and below 1 % for a longer one.
 */
const backoffFraction = 0.014;
/** The maximum interval. With a higher value, a fixed interval of 5 s would have less delay and send fewer requests. */
const longestPollMs = 4_300;
/**
 * The maximum interval of a long wait, as a fraction of the elapsed time. Takes effect after half an hour, because a wait of
 * hours does not need a request every four seconds.
 */
const partWhenOld = 0.0025;
/** The maximum interval in any case. Shows progress to the user about once a minute. */
const longestWhenOldMs = 60_000;

/** Spreads the polls of different processes. A larger value would cause noticeable delays. */
const jitter = 0.1;
/**
 * The minimum interval between reads of one list. A hundred callers in a row then share a few requests, at the cost of an
 * unnoticeable delay.
 */
export const sharedGapMs = 50;
/**
 * For this time after a poll, a wait uses no reads of others: many reads in a row would cost too much. It is less than
 * half of the shortest interval, so waits that begin one after the other soon poll together.
 */
export const joinsAfterMs = 380;
/** During a shorter pause, a wait uses all reads of others. */
export const shortPauseMs = 500;
/** The delay before the next read of an item that is missing. */
export const notFoundPollMs = 500;
/** A resource that was missing for this time, in several responses, is gone. Shared reads can be a little earlier than due. */
export const provesAbsenceAfterMs = 400;
/**
 * What must be missing for longer before it counts as gone: a resource that is becoming ready, one with data in the state, in
 * whose place the next run would create an empty one, and a project in the list of projects.
 */
export const provesLossAfterMs = 10_000;
/** A new resource may not be visible to reads for this time. */
export const appearsWithinMs = longestListLagMs;
/**
 * A resource that another one refers to, and that this run does not manage, may not be visible to reads for this time: it is
 * usually older, and its id may be wrong.
 */
export const appearsInUseWithinMs = 5_000;
/** For this time after its creation, a resource may be visible to one server of the API and not to another. */
export const flickersWithinMs = 5_000;
/**
 * A resource at rest usually shows an accepted change within a second. After this time, the change counts as
 * ineffective.
 */
export const showsWithinMs = 40_000;
/** The last poll of a wait begins at its deadline. It and its repetitions after failures have this long. */
export const lastPollTimeoutMs = 1_000;

/**
 * The time until the next poll, in milliseconds, for a wait with this elapsed time. `spread`, from 0 to 1, makes it shorter
 * or longer.
 */
export function nextPoll(elapsedMs: number, spread: number): number {
    const factor = 1 - jitter + 2 * jitter * spread;
    // Jitter may have made the first poll a little early.
    if (elapsedMs < firstPollMs * (1 - jitter)) {
        return firstPollMs * factor;
    }
    const longest = Math.min(Math.max(longestPollMs, elapsedMs * partWhenOld), longestWhenOldMs);
    return Math.min(Math.max(elapsedMs * backoffFraction, earlyPollMs), longest) * factor;
}

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
