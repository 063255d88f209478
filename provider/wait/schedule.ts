/** The numbers of the schedule; `npm run bench` draws what other ones would cost. */
export interface ScheduleNumbers {
    /** When a change is looked at for the first time. */
    readonly firstPollMs: number;
    /** How often it is looked at while it is young. */
    readonly earlyPollMs: number;
    /** Later a look follows after this part of the time already waited. */
    readonly partOfElapsed: number;
    /** The same while others of its kind were done at about this time. */
    readonly partWhenExpected: number;
    /** It follows after this at the latest, */
    readonly longestPollMs: number;
    /** or, once a change is old, after this part of the time already waited, */
    readonly partWhenOld: number;
    /** and after this in any case. */
    readonly longestWhenOldMs: number;
}

/** The numbers in use. */
export const numbers: ScheduleNumbers = {
    // Long enough for a small change to be done, too short for a person to notice.
    firstPollMs: 300,
    // About once a second: the end is noticed after less than half a second on average, the way of the request included.
    earlyPollMs: 850,
    // Keeps the delay of a change of a minute below half a second, and of a longer one below one in a hundred.
    partOfElapsed: 0.014,
    // Much closer, for the short while in which the end is likely. What takes less than a minute is then looked at after
    // the part of its time above, where it would be too young for that: at most twice as often.
    partWhenExpected: 0.0015,
    // Below this the requests saved are few and the delay grows; above it a fixed schedule of 5 s is better in both.
    longestPollMs: 4_300,
    // Half an hour is where this begins to count: what takes hours is not worth a request every four seconds.
    partWhenOld: 0.0025,
    // However long something takes, a person who watches sees that it is looked at about once a minute.
    longestWhenOldMs: 60_000,
};

/** Spreads the looks of different processes, so that they do not fall together; more would delay the unlucky one noticeably. */
const jitter = 0.1;
/**
 * Something is expected from a bit before the shortest to a bit after the longest time that others of its kind took. What
 * takes the same work differs by about a tenth from one time to the next.
 */
const margin = 0.1;
/** Times that differ by more than this factor tell nothing: the closer looks would go on for a third of the time waited. */
const tellingSpread = 1.3;
/**
 * Looks at the same list are at least this far apart where several wait on it, whenever they came. Half of what is
 * between the looks of one young wait: many then cost at most twice what one costs while they begin and where their end is
 * likely, and the same in between.
 */
export const leastGapMs = 425;
/**
 * Lists that changes ask for by themselves are begun this far apart, so that a hundred who come one after the other share
 * a few. Nobody notices a twentieth of a second in something that takes minutes.
 */
export const sharedGapMs = 50;
/** What was not in an answer is looked for again soon: one answer without it proves nothing, and lists lag for a second at most. */
export const notFoundPollMs = 500;
/** Something just made may not be there for reads at once. Seconds are usual; half a minute is beyond all that is documented. */
export const appearsWithinMs = 30_000;
/** What is that young may be there for one of the service's computers and not yet for another, for a few seconds. */
export const flickersWithinMs = 5_000;
/** A resource at rest shows an accepted change within a second; one that does not show for this long has had no effect. */
export const showsWithinMs = 40_000;
/** A rejection for which no busy resource is the reason goes on for this long, so that an error follows within a minute. */
export const rejectedWithinMs = 40_000;
/** An API that answers for this long that an operation is unknown, while it answers reads of the resource, does not have it. */
export const unsupportedAfterMs = 10_000;
/** So many answers in a row without it, and it is gone: a single one can be a slip of the list, and a third would only delay. */
export const notFoundsThatMeanGone = 2;

/** How long others of the same kind took. */
export interface Experience {
    readonly shortestMs: number;
    readonly longestMs: number;
}

/** How long to wait for the next look, in milliseconds, when a wait has gone on for the given time. */
export function nextPoll(
    elapsedMs: number,
    random: () => number,
    experience?: Experience,
    used: ScheduleNumbers = numbers,
): number {
    const { firstPollMs, earlyPollMs, partOfElapsed, partWhenExpected, longestPollMs } = used;
    // Chance may have put the first look a bit too early; it was the first all the same.
    if (elapsedMs < firstPollMs * (1 - jitter)) {
        return spread(firstPollMs, random);
    }
    const [from, to] = isTelling(experience)
        ? [experience.shortestMs * (1 - margin), experience.longestMs * (1 + margin)]
        : [Infinity, Infinity];
    const expected = elapsedMs >= from && elapsedMs <= to;
    const part = elapsedMs * partOfElapsed;
    const usual = expected
        ? Math.min(Math.max(part, leastGapMs), Math.max(earlyPollMs, elapsedMs * partWhenExpected))
        : Math.max(part, earlyPollMs);
    const longest = Math.min(Math.max(longestPollMs, elapsedMs * used.partWhenOld), used.longestWhenOldMs);
    const next = spread(Math.min(usual, longest), random);
    // A long pause must not reach far into the time in which the end is likely.
    return elapsedMs < from ? Math.min(next, Math.max(from - elapsedMs, earlyPollMs)) : next;
}

function isTelling(experience: Experience | undefined): experience is Experience {
    return experience !== undefined && experience.longestMs <= experience.shortestMs * tellingSpread;
}

function spread(ms: number, random: () => number): number {
    return ms * (1 - jitter + 2 * jitter * random());
}

/** How long changes of each kind took in this process; it keeps two numbers a kind. */
export class History {
    private readonly kinds = new Map<string, Experience>();

    /** One of this kind was done after this time. */
    record(kind: string, tookMs: number): void {
        const known = this.kinds.get(kind) ?? { shortestMs: tookMs, longestMs: tookMs };
        this.kinds.set(kind, {
            shortestMs: Math.min(known.shortestMs, tookMs),
            longestMs: Math.max(known.longestMs, tookMs),
        });
    }

    /** What is known of this kind, if anything. */
    of(kind: string): Experience | undefined {
        return this.kinds.get(kind);
    }
}
