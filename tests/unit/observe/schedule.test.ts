import { nextPoll } from "../../../provider/observe/schedule";

const [minute, hour] = [60_000, 3_600_000];

/** The times of all polls until the given time, by default without jitter. */
function pollTimesUntil(endMs: number, spread = 0.5): number[] {
    const polls: number[] = [];
    for (let at = nextPoll(0, spread); at < endMs; at += nextPoll(at, spread)) {
        polls.push(at);
    }
    return polls;
}

it("a change of up to a minute is noticed within half a second on average, and a longer one within 1 %", () => {
    const delayAt = (at: number) => nextPoll(at, 0.5) / 2;
    const pauses = pollTimesUntil(minute).map((at) => nextPoll(at, 0.5));
    expect(pauses.reduce((sum, pause) => sum + pause * pause, 0) / 2 / minute).toBeLessThan(500);
    const late = [2 * minute, 10 * minute, 50 * minute].filter((took) => delayAt(took) > took / 100);
    expect(late).toEqual([]);
});

it.each([
    [minute, 73],
    [5 * minute, 188],
    [hour, 830],
    [12 * hour, 1_860],
])("a wait of %i ms has about %i polls", (timeMs, polls) => {
    expect(Math.abs(pollTimesUntil(timeMs).length - polls) / polls).toBeLessThan(0.02);
});

it("the first poll is after 0.3 s, and a wait is polled at least once a minute", () => {
    expect(pollTimesUntil(2_000)).toEqual([300, 1_120, 1_940]);
    expect(nextPoll(48 * hour, 0.5)).toBe(minute);
});

it.each([0, 200, 10_000, 10 * minute, 48 * hour])("the poll after %d ms has a jitter of a tenth", (elapsed) => {
    const mean = nextPoll(elapsed, 0.5);
    expect(nextPoll(elapsed, 0)).toBeCloseTo(mean * 0.9);
    expect(nextPoll(elapsed, 1)).toBeCloseTo(mean * 1.1);
});
