/** The first look comes this soon: long enough for a small change to be done, too short for a person to notice. */
const firstLookMs = 300;
/** While a change is young it is looked at about once a second, which notices its end after half a second on average. */
const youngLookMs = 900;
/** Later a look follows after this part of the time already waited, so that the delay stays below one in a hundred. */
const partOfElapsed = 0.018;
/** However long something takes, a minute never passes without a look. */
const longestLookMs = 60_000;
/** Spreads looks of different processes; the mean stays the same. */
const jitter = 0.1;
/** Something that was not in an answer is looked for again soon: one answer without it proves nothing. */
export const missingLookMs = 500;

/** How long to wait for the next look, in milliseconds, when a wait has gone on for the given time. */
export function nextLook(elapsedMs: number, random: () => number): number {
    const base = elapsedMs < firstLookMs ? firstLookMs : Math.max(youngLookMs, elapsedMs * partOfElapsed);
    return Math.min(base, longestLookMs) * (1 - jitter + 2 * jitter * random());
}
