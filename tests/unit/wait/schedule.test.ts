import { History, leastGapMs, nextPoll, type Experience } from "../../../provider/wait/schedule";
const middle = () => 0.5;
const [minute, hour] = [60_000, 3_600_000];

/** The times of all looks until the given one, when nothing is spread. */
function looksUntil(endMs: number, random = middle, experience?: Experience): number[] {
    const looks: number[] = [];
    for (let at = nextPoll(0, random, experience); at < endMs; at += nextPoll(at, random, experience)) {
        looks.push(at);
    }
    return looks;
}

describe("the next look", () => {
    it.each([
        { elapsed: 0, next: 300, reason: "small changes are done at once" },
        { elapsed: 200, next: 300, reason: "a look that others took was too soon" },
        { elapsed: 300, next: 850, reason: "a young change is looked at about once a second" },
        { elapsed: 10_000, next: 850, reason: "it is still young" },
        { elapsed: 60_000, next: 850, reason: "a part of the time waited is not longer yet" },
        { elapsed: 100_000, next: 1_400, reason: "later it is a part of the time waited" },
        { elapsed: 5 * minute, next: 4_200, reason: "likewise" },
        { elapsed: 10 * minute, next: 4_300, reason: "for long it is not longer than this" },
        { elapsed: 2 * hour, next: 18_000, reason: "what is old is looked at less and less often" },
        { elapsed: 7 * hour, next: minute, reason: "a minute never passes without a look" },
        { elapsed: 48 * hour, next: minute, reason: "however long it takes" },
    ])("after $elapsed ms comes $next ms later: $reason", ({ elapsed, next }) => {
        expect(nextPoll(elapsed, middle)).toBeCloseTo(next);
    });

    it.each([0, 10_000, 10 * minute, 48 * hour])("after %d ms is spread by a tenth to either side", (elapsed) => {
        const mean = nextPoll(elapsed, middle);
        expect(nextPoll(elapsed, () => 0)).toBeCloseTo(mean * 0.9);
        expect(nextPoll(elapsed, () => 1)).toBeCloseTo(mean * 1.1);
        expect(nextPoll(elapsed, () => 0.25)).toBeCloseTo(mean * 0.95);
    });

    it("follows the first one after a young change's pause, however early chance put the first", () => {
        const earliest = nextPoll(0, () => 0);
        expect(earliest).toBeCloseTo(270);
        expect(nextPoll(earliest, middle)).toBeCloseTo(850);
    });
});

describe("all looks together", () => {
    it("notice what takes up to a minute within half a second, on average", () => {
        const pauses = looksUntil(minute).map((at) => nextPoll(at, middle));
        const meanDelay = pauses.reduce((sum, pause) => sum + pause * pause, 0) / 2 / minute;
        expect(meanDelay).toBeLessThanOrEqual(0.5 * 1_000);
    });

    it.each([2 * minute, 10 * minute, 50 * minute])(
        "notice what takes %d ms within one in a hundred of it, on average",
        (took) => {
            expect(nextPoll(took, middle) / 2).toBeLessThanOrEqual(took / 100);
        },
    );

    it("are few: below 200 in five minutes, below 850 in an hour, and below 1,900 in twelve", () => {
        expect(looksUntil(5 * minute).length).toBeLessThan(200);
        expect(looksUntil(hour).length).toBeLessThan(850);
        expect(looksUntil(12 * hour).length).toBeLessThan(1_900);
    });
});

describe("what is learnt from others of the kind", () => {
    const experience = { shortestMs: 200_000, longestMs: 250_000 };

    it.each([
        { elapsed: 180_000, reason: "from a bit before the shortest" },
        { elapsed: 230_000, reason: "in between" },
        { elapsed: 275_000, reason: "to a bit after the longest" },
    ])("makes looks as close as at a young change when the end is likely: $reason", ({ elapsed }) => {
        expect(nextPoll(elapsed, middle)).toBeGreaterThan(2_500);
        expect(nextPoll(elapsed, middle, experience)).toBe(850);
    });

    it.each([
        { elapsed: 10_000, next: 425, reason: "the shortest are looked at as often as looks ever are" },
        { elapsed: 40_000, next: 560, reason: "then after a part of the time waited" },
        { elapsed: minute, next: 840, reason: "up to a young change's pause" },
        { elapsed: 10 * minute, next: 900, reason: "and beyond it after a small part" },
        { elapsed: hour, next: 5_400, reason: "however long" },
    ])("after $elapsed ms makes the next come $next ms later: $reason", ({ elapsed, next }) => {
        expect(nextPoll(elapsed, middle, { shortestMs: elapsed, longestMs: elapsed })).toBeCloseTo(next);
    });

    it("counts for nothing when others took very different times", () => {
        const vague = { shortestMs: 200_000, longestMs: 300_000 };
        expect(nextPoll(250_000, middle, vague)).toBe(nextPoll(250_000, middle));
    });

    it.each([
        { elapsed: 0, reason: "at first" },
        { elapsed: 100_000, reason: "long before the end" },
        { elapsed: 276_000, reason: "when it takes longer than any other did" },
        { elapsed: 2 * hour, reason: "much longer" },
    ])("changes nothing otherwise: $reason", ({ elapsed }) => {
        expect(nextPoll(elapsed, middle, experience)).toBe(nextPoll(elapsed, middle));
    });

    it("does not let a pause reach over the time when the end becomes likely", () => {
        const long = { shortestMs: hour, longestMs: hour };
        expect(nextPoll(0.899 * hour, middle, long)).toBeCloseTo(0.001 * hour);
        expect(nextPoll(0.8999999 * hour, middle, long)).toBeCloseTo(850);
    });

    it("never makes looks closer than two looks at the same list are", () => {
        const short = { shortestMs: 10_000, longestMs: 12_000 };
        expect(
            Math.min(
                ...looksUntil(minute, middle, short)
                    .map((at) => nextPoll(at, middle, short))
                    .slice(1),
            ),
        ).toBeCloseTo(leastGapMs);
    });

    it("is the shortest and the longest time, for each kind by itself", () => {
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
