import { Lists } from "../../../provider/observe/lists";
import { pollIntervalAt, shortestPollMs } from "../../../provider/observe/schedule";
import { TestClock } from "../../support/virtualClock";

const [minute, hour] = [60_000, 3_600_000];

/** The times of all polls until the given time, of a wait that begins this long after the common clock. */
async function pollTimesUntil(endMs: number, afterMs = 0): Promise<number[]> {
    const clock = new TestClock();
    const lists = new Lists(clock, () => 0.5);
    await clock.advance(afterMs);
    const polls: number[] = [];
    for (let at = lists.untilTick(pollIntervalAt(0)); at < endMs; at += lists.untilTick(pollIntervalAt(at))) {
        polls.push(at);
        clock.skip(afterMs + at - clock.now());
    }
    return polls;
}

it("a change of up to a minute is noticed within half a second on average, and a longer one within 1 %", () => {
    const delayAt = (at: number) => pollIntervalAt(at) / 2;
    expect(delayAt(minute)).toBeLessThan(500);
    const late = [2 * minute, 10 * minute, 50 * minute].filter((took) => delayAt(took) > took / 100);
    expect(late).toEqual([]);
});

it.each([
    [minute, 72],
    [5 * minute, 201],
    [hour, 933],
    [12 * hour, 2_058],
])("a wait of %i ms has about %i polls", async (timeMs, polls) => {
    expect(Math.abs((await pollTimesUntil(timeMs)).length - polls) / polls).toBeLessThan(0.02);
});

it("the first poll is soon, a wait is polled about once a second, and at least once a minute", async () => {
    expect(await pollTimesUntil(2_000)).toEqual([210, 840, 1_680]);
    expect(await pollTimesUntil(2_000, 100)).toEqual([320, 740, 1_580]);
    expect(pollIntervalAt(48 * hour)).toBeLessThanOrEqual(minute);
});

it("waits of any age wake together: each interval is a part of all longer ones", () => {
    const ages = Array.from({ length: 200 }, (_, index) => 1.09 ** index);
    const intervals = [...new Set(ages.map(pollIntervalAt))].sort((a, b) => a - b);
    expect(intervals[0]).toBe(shortestPollMs);
    expect(intervals.length).toBeGreaterThan(5);
    expect(intervals.every((one, index) => intervals.slice(index).every((longer) => longer % one === 0))).toBe(true);
});

it.each([0, 1, 100, 209, 210, 1_000])(
    "a pause that begins %d ms after a tick is not shorter than it must be",
    async (ms) => {
        const clock = new TestClock();
        const lists = new Lists(clock, () => 0.5);
        await clock.advance(ms);
        for (const leastMs of [210, 250, 5_000]) {
            const pauseMs = lists.untilTick(210, leastMs);
            expect(pauseMs).toBeGreaterThanOrEqual(leastMs);
            expect(pauseMs).toBeLessThan(leastMs + 210);
            expect((ms + pauseMs) % 210).toBe(0);
        }
    },
);
