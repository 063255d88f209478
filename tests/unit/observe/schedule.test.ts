import { nextPoll } from "../../../provider/observe/schedule";
const middle = 0.5;
const [minute, hour] = [60_000, 3_600_000];

/** The times of all polls until the given time, without jitter. */
function pollTimesUntil(endMs: number, spread = middle): number[] {
    const polls: number[] = [];
    for (let at = nextPoll(0, spread); at < endMs; at += nextPoll(at, spread)) {
        polls.push(at);
    }
    return polls;
}

describe("the next poll", () => {
    it.each([
        { elapsed: 0, next: 300, reason: "small changes complete at once" },
        { elapsed: 200, next: 300, reason: "the poll of another wait was too early" },
        { elapsed: 300, next: 820, reason: "a new change is polled about once a second" },
        { elapsed: 10_000, next: 820, reason: "the change is still new" },
        { elapsed: 58_000, next: 820, reason: "a fraction of the elapsed time is still shorter" },
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
            expect(nextPoll(elapsed, 0)).toBeCloseTo(mean * 0.9);
            expect(nextPoll(elapsed, 1)).toBeCloseTo(mean * 1.1);
            expect(nextPoll(elapsed, 0.25)).toBeCloseTo(mean * 0.95);
        },
    );
});

describe("all polls of a wait", () => {
    it("changes of up to a minute are noticed within half a second on average", () => {
        const pauses = pollTimesUntil(minute).map((at) => nextPoll(at, middle));
        const meanDelay = pauses.reduce((sum, pause) => sum + pause * pause, 0) / 2 / minute;
        expect(meanDelay).toBeLessThanOrEqual(0.5 * 1_000);
    });

    it("a wait has fewer than 200 polls in five minutes, 850 in an hour and 1,900 in twelve hours", () => {
        expect(pollTimesUntil(5 * minute).length).toBeLessThan(200);
        expect(pollTimesUntil(hour).length).toBeLessThan(850);
        expect(pollTimesUntil(12 * hour).length).toBeLessThan(1_900);
    });
});
