import { History } from "../../../provider/wait/history";
import { nextLook, type Experience } from "../../../provider/wait/schedule";

const middle = () => 0.5;
const [minute, hour] = [60_000, 3_600_000];

/** The times of all looks until the given one, when nothing is spread. */
function looksUntil(endMs: number, random = middle, experience?: Experience): number[] {
    const looks: number[] = [];
    for (let at = nextLook(0, random, experience); at < endMs; at += nextLook(at, random, experience)) {
        looks.push(at);
    }
    return looks;
}

describe("the next look", () => {
    it.each([
        { elapsed: 0, next: 300, reason: "small changes are done at once" },
        { elapsed: 200, next: 300, reason: "a look that others took was too soon" },
        { elapsed: 300, next: 900, reason: "a young change is looked at about once a second" },
        { elapsed: 10_000, next: 900, reason: "it is still young" },
        { elapsed: 50_000, next: 900, reason: "this is where a part of the time waited becomes as long" },
        { elapsed: 100_000, next: 1_800, reason: "later it is a part of the time waited" },
        { elapsed: 10 * minute, next: 10_800, reason: "likewise" },
        { elapsed: 50 * minute, next: 54_000, reason: "likewise" },
        { elapsed: 2 * hour, next: minute, reason: "a minute never passes without a look" },
        { elapsed: 48 * hour, next: minute, reason: "however long it takes" },
    ])("after $elapsed ms comes $next ms later: $reason", ({ elapsed, next }) => {
        expect(nextLook(elapsed, middle)).toBeCloseTo(next);
    });

    it.each([0, 10_000, 10 * minute, 48 * hour])("after %d ms is spread by a tenth to either side", (elapsed) => {
        const mean = nextLook(elapsed, middle);
        expect(nextLook(elapsed, () => 0)).toBeCloseTo(mean * 0.9);
        expect(nextLook(elapsed, () => 1)).toBeCloseTo(mean * 1.1);
        expect(nextLook(elapsed, () => 0.25)).toBeCloseTo(mean * 0.95);
    });

    it("follows the first one after a young change's pause, however early chance put the first", () => {
        const earliest = nextLook(0, () => 0);
        expect(earliest).toBeCloseTo(270);
        expect(nextLook(earliest, middle)).toBeCloseTo(900);
    });
});

describe("all looks together", () => {
    it("notice what takes up to a minute within half a second, on average", () => {
        const pauses = looksUntil(minute).map((at) => nextLook(at, middle));
        const meanDelay = pauses.reduce((sum, pause) => sum + pause * pause, 0) / 2 / minute;
        expect(meanDelay).toBeLessThanOrEqual(0.5 * 1_000);
    });

    it.each([2 * minute, 10 * minute, 50 * minute])(
        "notice what takes %d ms within one in a hundred of it, on average",
        (took) => {
            expect(nextLook(took, middle) / 2).toBeLessThanOrEqual(took / 100);
        },
    );

    it("are few: below 170 in five minutes, and below 330 in an hour", () => {
        expect(looksUntil(5 * minute).length).toBeLessThan(170);
        expect(looksUntil(hour).length).toBeLessThan(330);
    });
});

describe("what is learnt from others of the kind", () => {
    const experience = { shortestMs: 200_000, longestMs: 300_000 };

    it.each([
        { elapsed: 180_000, reason: "from a bit before the shortest" },
        { elapsed: 250_000, reason: "in between" },
        { elapsed: 330_000, reason: "to a bit after the longest" },
    ])("makes looks four times as close when the end is likely: $reason", ({ elapsed }) => {
        expect(nextLook(elapsed, middle, experience)).toBeCloseTo(Math.max(nextLook(elapsed, middle) / 4, 900));
    });

    it.each([
        { elapsed: 0, reason: "at first" },
        { elapsed: 100_000, reason: "long before the end" },
        { elapsed: 331_000, reason: "when it takes longer than any other did" },
        { elapsed: 2 * hour, reason: "much longer" },
    ])("changes nothing otherwise: $reason", ({ elapsed }) => {
        expect(nextLook(elapsed, middle, experience)).toBe(nextLook(elapsed, middle));
    });

    it("does not let a pause reach over the time when the end becomes likely", () => {
        const long = { shortestMs: hour, longestMs: hour };
        expect(nextLook(0.89 * hour, middle, long)).toBeCloseTo(0.01 * hour);
        expect(nextLook(0.8999999 * hour, middle, long)).toBeCloseTo(900);
    });

    it("never makes looks closer than those at a young change", () => {
        const short = { shortestMs: 10_000, longestMs: 20_000 };
        expect(
            Math.min(
                ...looksUntil(minute, middle, short)
                    .map((at) => nextLook(at, middle, short))
                    .slice(1),
            ),
        ).toBe(900);
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
