import { Absence } from "../../../provider/observe/watch";
import { mean } from "../../../bench/work";
import { TestClock } from "../../support/virtualClock";
import { startWaiting } from "../../support/waiting";

/** The delay until a wait notices a deletion that ends after this time, in milliseconds, and what it has read since then. */
async function deletionAfter(ms: number) {
    const { clock, things, begin } = startWaiting();
    things.put("a", "DELETING");
    const wait = begin("a", { until: "gone" });
    await clock.advance(ms);
    const [polls, goneAt] = [things.polls.length, clock.now()];
    things.remove("a");
    await clock.advance(10_000);
    return { delayMs: wait.endedAt - goneAt, reads: things.polls.slice(polls).map(({ of }) => of) };
}

it("a deletion is noticed within 0.9 s on average, by two reads, one of them the list", async () => {
    const delaysMs: number[] = [];
    for (let ms = 0; ms < 20_000; ms += 473) {
        const { delayMs, reads } = await deletionAfter(ms);
        expect(reads).toEqual(["a", "list"]);
        delaysMs.push(delayMs);
    }
    // Before all waits woke together, it was 0.9 s, and at most 1.3 s.
    expect(mean(delaysMs)).toBeLessThan(900);
    expect(Math.max(...delaysMs)).toBeLessThan(1_300);
});

describe("what reads lack", () => {
    /** Whether it is gone after each of these times, at which a read lacks it, or shows it. */
    async function after(times: readonly (readonly [ms: number, shows?: "shown"])[], goneMs?: number, newMs?: number) {
        const clock = new TestClock();
        const absence = new Absence(clock, goneMs, newMs);
        const found: boolean[] = [];
        for (const [ms, shows] of times) {
            await clock.advance(ms - clock.now());
            found.push(absence.isGone(shows));
        }
        return found;
    }

    it("is gone after two reads, if nothing else is demanded", async () => {
        expect(await after([[0], [0]])).toEqual([false, true]);
        expect(await after([[0], [1, "shown"], [2], [3]])).toEqual([false, false, false, true]);
    });

    it("must be missing for the given time, counted from the first read that lacks it", async () => {
        expect(await after([[50_000], [59_999], [60_000]], 10_000)).toEqual([false, false, true]);
        expect(await after([[50_000], [59_999, "shown"], [60_000], [70_000]], 10_000)).toEqual([
            false,
            false,
            false,
            true,
        ]);
        expect(await after([[50_000]], 10_000)).toEqual([false]);
    });

    it("may be new for longer, until a read shows it", async () => {
        expect(await after([[0], [29_999], [30_000]], 10_000, 30_000)).toEqual([false, false, true]);
        expect(await after([[0, "shown"], [1], [10_000], [10_001]], 10_000, 30_000)).toEqual([
            false,
            false,
            false,
            true,
        ]);
    });
});
