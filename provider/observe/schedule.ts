/**
 * The interval of the first poll: long enough for a small change to finish, and too short for a person to notice. All intervals are
 * this one times a power of two, so that a wait wakes with all those that wake more often.
 */
export const shortestPollMs = 210;
/** The interval of early polls: the average delay after a change has ended is below half a second, including the request. */
const earlyPollMs = 840;
/** The interval of later polls, at most this part of the elapsed time: the average delay is below 1 % of the change. */
const partOfElapsed = 0.018;
/** The longest interval. With a longer one, a fixed interval of 5 s would have less delay and send fewer requests. */
const longestPollMs = 3_360;
/**
 * The longest interval of a long wait, at most this part of the elapsed time: after half an hour, because a wait of hours does
 * not need a request every four seconds.
 */
const partWhenOld = 0.0035;
/** The longest interval in any case. Shows progress to the user about once a minute. */
const longestWhenOldMs = 53_760;
/**
 * The interval of the first looks while few wait: what is complete when it is accepted, or gone at once, is noticed within 100 ms. With
 * more waits at a time, so short an interval would cost more requests than it saves time.
 */
export const firstLookMs = shortestPollMs / 4;
/** As many waits at a time are few. */
export const fewWaits = 8;
/** Those who wake at one tick have asked for a read within this time. */
export const wakeWithinMs = 20;
/** The interval of the reads of an item that is missing. */
export const notFoundPollMs = 420;
/**
 * What is missing without our doing is gone after this time. A new resource may be invisible for the `listLagMs` of the client, and
 * what this run has asked to delete needs no time.
 */
export const goneAfterMs = 10_000;
/** An accepted change shows within this time: a resource that is at rest without it then does not get it any more. */
export const showsWithinMs = 40_000;

/** The interval of the polls of a wait with this elapsed time. */
export function pollIntervalAt(elapsedMs: number): number {
    const soon = Math.min(elapsedMs * partOfElapsed, longestPollMs);
    const late = Math.min(elapsedMs * partWhenOld, longestWhenOldMs);
    const longest = elapsedMs < shortestPollMs ? shortestPollMs : Math.max(soon, late, earlyPollMs);
    return shortestPollMs * 2 ** Math.floor(Math.log2(longest / shortestPollMs));
}
