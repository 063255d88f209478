import { sharedGapMs } from "../../../provider/wait/schedule";
import { SharedCalls } from "../../../provider/wait/shared";
import { TestClock } from "../../support/virtualClock";

/** Calls that end when they are told to. */
function calls() {
    const clock = new TestClock();
    const open: { at: number; answer: (value: string) => void; fail: (error: Error) => void }[] = [];
    return {
        clock,
        shared: new SharedCalls(clock),
        open,
        call: () => new Promise<string>((answer, fail) => open.push({ at: clock.now(), answer, fail })),
    };
}

describe("a shared call", () => {
    it("serves everyone who asks while one is under way with one more, begun after they asked", async () => {
        const { clock, shared, open, call } = calls();
        const first = shared.ask("a", call);
        const others = Array.from({ length: 100 }, () => shared.ask("a", call));
        await clock.advance(10 * sharedGapMs);
        expect(open).toHaveLength(1);
        open[0]?.answer("old");
        expect(await first).toBe("old");
        await clock.advance(0);
        expect(open).toHaveLength(2);
        open[1]?.answer("new");
        expect(new Set(await Promise.all(others))).toEqual(new Set(["new"]));
    });

    it("is begun at once, and the next one not before a while has passed, for all who asked meanwhile", async () => {
        const { clock, shared, open, call } = calls();
        const answers: Promise<string>[] = [];
        for (let asker = 0; asker < 100; asker++) {
            answers.push(shared.ask("a", call));
            await clock.advance(1);
            open.forEach(({ at, answer }) => {
                answer(String(at));
            });
        }
        await clock.advance(sharedGapMs);
        open.at(-1)?.answer("last");
        expect(open.map(({ at }) => at)).toEqual([0, sharedGapMs, 2 * sharedGapMs]);
        const heard = (await Promise.all(answers)).map(Number);
        expect(heard.slice(0, -1).every((at, asker) => at >= asker)).toBe(true);
        expect(clock.sleeping).toBe(0);
    });

    it("is not shared between keys, nor with who asks when it has ended", async () => {
        const { clock, shared, open, call } = calls();
        const [a, b] = [shared.ask("a", call), shared.ask("b", call)];
        expect(open).toHaveLength(2);
        open.forEach(({ answer }, index) => {
            answer(String(index));
        });
        expect(await Promise.all([a, b])).toEqual(["0", "1"]);
        await clock.advance(sharedGapMs);
        void shared.ask("a", call);
        expect(open).toHaveLength(3);
    });

    it("that fails fails for those who share it, and not for those who come after", async () => {
        const { clock, shared, open, call } = calls();
        const first = shared.ask("a", call);
        const second = shared.ask("a", call);
        open[0]?.fail(new Error("no"));
        await expect(first).rejects.toThrow("no");
        await clock.advance(sharedGapMs);
        open[1]?.answer("yes");
        expect(await second).toBe("yes");
    });
});
