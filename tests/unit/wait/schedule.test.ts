import { History, leastGapMs, nextPoll, type Experience } from "../../../provider/wait/schedule";
const middle = () => 0.5;
const [minute, hour] = [60_000, 3_600_000];

/** The times of all polls until the given time, without jitter. */
function pollTimesUntil(endMs: number, random = middle, experience?: Experience): number[] {
    const polls: number[] = [];
    for (let at = nextPoll(0, random, experience); at < endMs; at += nextPoll(at, random, experience)) {
        polls.push(at);
    }
    return polls;
}

describe("the next poll", () => {
    it.each([
        { elapsed: 0, next: 300, reason: "small changes complete at once" },
        { elapsed: 200, next: 300, reason: "the poll of another wait was too early" },
        { elapsed: 300, next: 850, reason: "a new change is polled about once a second" },
        { elapsed: 10_000, next: 850, reason: "the change is still new" },
        { elapsed: 60_000, next: 850, reason: "a fraction of the elapsed time is still shorter" },
        { elapsed: 100_000, next: 1_400, reason: "later it is a fraction of the elapsed time" },
        { elapsed: 5 * minute, next: 4_200, reason: "likewise" },
        { elapsed: 10 * minute, next: 4_300, reason: "the maximum interval for a long time" },
        { elapsed: 2 * hour, next: 18_000, reason: "an old change is polled less and less often" },
        { elapsed: 7 * hour, next: minute, reason: "there is at least one poll per minute" },
        { elapsed: 48 * hour, next: minute, reason: "for any duration" },
    ])("the next poll after $elapsed ms follows after $next ms: $reason", ({ elapsed, next }) => {
        expect(nextPoll(elapsed, middle)).toBeCloseTo(next);
    });

    it.each([0, 10_000, 10 * minute, 48 * hour])(
        "the next poll after %d ms has a jitter of up to a tenth",
        (elapsed) => {
            const mean = nextPoll(elapsed, middle);
            expect(nextPoll(elapsed, () => 0)).toBeCloseTo(mean * 0.9);
            expect(nextPoll(elapsed, () => 1)).toBeCloseTo(mean * 1.1);
            expect(nextPoll(elapsed, () => 0.25)).toBeCloseTo(mean * 0.95);
        },
    );

    it("the second poll follows after the early interval, even if jitter made the first one early", () => {
        const earliest = nextPoll(0, () => 0);
        expect(earliest).toBeCloseTo(270);
        expect(nextPoll(earliest, middle)).toBeCloseTo(850);
    });
});

describe("all polls of a wait", () => {
    it("changes of up to a minute are noticed within half a second on average", () => {
        const pauses = pollTimesUntil(minute).map((at) => nextPoll(at, middle));
        const meanDelay = pauses.reduce((sum, pause) => sum + pause * pause, 0) / 2 / minute;
        expect(meanDelay).toBeLessThanOrEqual(0.5 * 1_000);
    });

    it.each([2 * minute, 10 * minute, 50 * minute])(
        "a change of %d ms is noticed within 1 % of its duration on average",
        (took) => {
            expect(nextPoll(took, middle) / 2).toBeLessThanOrEqual(took / 100);
        },
    );

    it("a wait has fewer than 200 polls in five minutes, 850 in an hour and 1,900 in twelve hours", () => {
        expect(pollTimesUntil(5 * minute).length).toBeLessThan(200);
        expect(pollTimesUntil(hour).length).toBeLessThan(850);
        expect(pollTimesUntil(12 * hour).length).toBeLessThan(1_900);
    });
});

describe("the durations of earlier changes of the same kind", () => {
    const experience = { shortestMs: 200_000, longestMs: 250_000 };

    it.each([
        { elapsed: 180_000, reason: "from slightly before the shortest" },
        { elapsed: 230_000, reason: "in between" },
        { elapsed: 275_000, reason: "to slightly after the longest" },
    ])("polls have the early interval when the end is likely: $reason", ({ elapsed }) => {
        expect(nextPoll(elapsed, middle)).toBeGreaterThan(2_500);
        expect(nextPoll(elapsed, middle, experience)).toBe(850);
    });

    it.each([
        { elapsed: 10_000, next: 425, reason: "the shortest changes have the minimum interval" },
        { elapsed: 40_000, next: 560, reason: "then a fraction of the elapsed time" },
        { elapsed: minute, next: 840, reason: "up to the early interval" },
        { elapsed: 10 * minute, next: 900, reason: "and above it after a small part" },
        { elapsed: hour, next: 5_400, reason: "for any duration" },
    ])("the next poll after $elapsed ms follows after $next ms with a known duration: $reason", ({ elapsed, next }) => {
        expect(nextPoll(elapsed, middle, { shortestMs: elapsed, longestMs: elapsed })).toBeCloseTo(next);
    });

    it("durations that differ widely are not used", () => {
        const vague = { shortestMs: 200_000, longestMs: 300_000 };
        expect(nextPoll(250_000, middle, vague)).toBe(nextPoll(250_000, middle));
    });

    it.each([
        { elapsed: 0, reason: "at first" },
        { elapsed: 100_000, reason: "long before the end" },
        { elapsed: 276_000, reason: "when it takes longer than any other did" },
        { elapsed: 2 * hour, reason: "much longer" },
    ])("known durations do not change the schedule: $reason", ({ elapsed }) => {
        expect(nextPoll(elapsed, middle, experience)).toBe(nextPoll(elapsed, middle));
    });

    it("an interval does not extend far into the period in which the end is likely", () => {
        const long = { shortestMs: hour, longestMs: hour };
        expect(nextPoll(0.899 * hour, middle, long)).toBeCloseTo(0.001 * hour);
        expect(nextPoll(0.8999999 * hour, middle, long)).toBeCloseTo(850);
    });

    it("intervals are never shorter than the minimum interval of a list", () => {
        const short = { shortestMs: 10_000, longestMs: 12_000 };
        expect(
            Math.min(
                ...pollTimesUntil(minute, middle, short)
                    .map((at) => nextPoll(at, middle, short))
                    .slice(1),
            ),
        ).toBeCloseTo(leastGapMs);
    });

    it("the history has the shortest and the longest duration of each kind", () => {
        const history = new History();
        expect(history.of("fork")).toBeUndefined();
        history.record("fork", 200);
        expect(history.of("fork")).toEqual({ shortestMs: 200, longestMs: 200 });
        [150, 300, 250].forEach((took) => history.record("fork", took));
        history.record("resize", 1);
        expect(history.of("fork")).toEqual({ shortestMs: 150, longestMs: 300 });
        expect(history.of("resize")).toEqual({ shortestMs: 1, longestMs: 1 });
    });
});
