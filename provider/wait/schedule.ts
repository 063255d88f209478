/** The numbers of the schedule; `npm run bench` draws what other ones would cost. */
export interface ScheduleNumbers {
    /** When a change is looked at for the first time. */
    readonly firstLookMs: number;
    /** How often it is looked at while it is young. */
    readonly youngLookMs: number;
    /** Later a look follows after this part of the time already waited. */
    readonly partOfElapsed: number;
    /** The same while others of its kind were done at about this time. */
    readonly partWhenExpected: number;
    /** A look follows after this in any case. */
    readonly longestLookMs: number;
}

/** The numbers in use. */
export const numbers: ScheduleNumbers = {
    // Long enough for a small change to be done, too short for a person to notice.
    firstLookMs: 300,
    // About once a second: the end is noticed after less than half a second on average.
    youngLookMs: 900,
    // Keeps the delay below one in a hundred of the time waited.
    partOfElapsed: 0.018,
    // Four times as close, for the short while in which the end is likely.
    partWhenExpected: 0.0045,
    // However long something takes, a person who watches sees that it is looked at.
    longestLookMs: 60_000,
};

/** Spreads the looks of different processes; the mean stays the same. */
const jitter = 0.1;
/** Something is expected from a bit before the shortest to a bit after the longest time that others of its kind took. */
const margin = 0.1;
/** Something that was not in an answer is looked for again soon: one answer without it proves nothing. */
export const missingLookMs = 500;

/** How long others of the same kind took. */
export interface Experience {
    readonly shortestMs: number;
    readonly longestMs: number;
}

/** How long to wait for the next look, in milliseconds, when a wait has gone on for the given time. */
export function nextLook(
    elapsedMs: number,
    random: () => number,
    experience?: Experience,
    { firstLookMs, youngLookMs, partOfElapsed, partWhenExpected, longestLookMs } = numbers,
): number {
    // Chance may have put the first look a bit too early; it was the first all the same.
    if (elapsedMs < firstLookMs * (1 - jitter)) {
        return spread(firstLookMs, random);
    }
    const [from, to] = experience
        ? [experience.shortestMs * (1 - margin), experience.longestMs * (1 + margin)]
        : [Infinity, Infinity];
    const expected = elapsedMs >= from && elapsedMs <= to;
    const usual = Math.max(youngLookMs, elapsedMs * (expected ? partWhenExpected : partOfElapsed));
    const next = spread(Math.min(usual, longestLookMs), random);
    // A long pause must not reach far into the time in which the end is likely.
    return elapsedMs < from ? Math.min(next, Math.max(from - elapsedMs, youngLookMs)) : next;
}

function spread(ms: number, random: () => number): number {
    return ms * (1 - jitter + 2 * jitter * random());
}
