import { WaitFailedError, WaitGoneError } from "../../../provider/wait/errors";
import { startWaiting } from "../../support/waiting";

describe("something that was just made and is not there for reads yet", () => {
    it("is waited for, and looked for more often than it would be", async () => {
        const { clock, things, begin } = startWaiting();
        const { fate, progress } = begin("a");
        await clock.advance(10_000);
        expect(fate.state).toBe("pending");
        expect(things.looks.length).toBeGreaterThanOrEqual(20);
        expect(progress[0]?.detail).toBe("not found");
        things.put("a", "READY");
        await clock.advance(500);
        expect(fate.state).toBe("resolved");
    });

    it("is waited for as long when it is looked for in the list", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("another", "NEW");
        const { fate } = begin("a", { source: things.listOnly });
        await clock.advance(29_000);
        expect(fate.state).toBe("pending");
        things.put("a", "READY");
        await clock.advance(1_000);
        expect(fate.state).toBe("resolved");
    });

    it("is gone when it has not come after half a minute", async () => {
        const { clock, begin } = startWaiting();
        const { fate } = begin("a");
        await clock.advance(29_500);
        expect(fate.state).toBe("pending");
        await clock.advance(1_000);
        expect(fate.error).toBeInstanceOf(WaitGoneError);
        expect((fate.error as Error).message).toContain('Thing "a" no longer exists');
        expect((fate.error as Error).message).toContain("pulumi refresh");
        expect(clock.sleeping).toBe(0);
    });

    it("is called not seen, should the time run out before that", async () => {
        const { clock, begin } = startWaiting();
        const { fate } = begin("a", { deadlineAt: clock.now() + 10_000 });
        await clock.advance(10_000);
        expect((fate.error as Error).message).toContain("not visible yet for 10 s (last poll: not found)");
    });
});

describe("something that was there", () => {
    it("is not gone when one answer lacks it, which is looked at again after half a second", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const { fate, progress } = begin("a");
        await clock.advance(300);
        things.remove("a");
        await clock.advance(900);
        things.put("a", "NEW");
        await clock.advance(500);
        expect(things.looks.map(({ at }) => at - 1_000_000)).toEqual([300, 1_150, 1_650]);
        expect(progress.map(({ status, detail }) => [status, detail])).toEqual([
            ["NEW", undefined],
            ["NEW", "not found"],
            ["NEW", undefined],
        ]);
        expect(fate.state).toBe("pending");
    });

    it("may be lacking again and again, as long as it comes back each time", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const { fate } = begin("a");
        for (let slip = 0; slip < 5; slip++) {
            await clock.advance(900);
            things.remove("a");
            const looks = things.looks.length;
            while (things.looks.length === looks) {
                await clock.advance(100);
            }
            things.put("a", "NEW");
        }
        await clock.advance(5_000);
        expect(fate.state).toBe("pending");
    });

    it("is gone when two answers in a row lack it", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const { fate } = begin("a");
        await clock.advance(40_000);
        things.remove("a");
        const looks = things.looks.length;
        while (fate.state === "pending") {
            await clock.advance(100);
        }
        expect(fate.error).toBeInstanceOf(WaitGoneError);
        expect(things.looks.length - looks).toBe(2);
        expect(clock.sleeping).toBe(0);
    });

    it("is not gone while it is young until it has been lacking for some seconds: not all of a service see it at once", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const [flickering, deleted] = [begin("a"), begin("b")];
        things.put("b", "NEW");
        await clock.advance(300);
        things.remove("a");
        things.remove("b");
        await clock.advance(5_000);
        things.put("a", "READY");
        expect(deleted.fate.state).toBe("pending");
        await clock.advance(1_500);
        expect(flickering.fate.state).toBe("resolved");
        expect(deleted.fate.error).toBeInstanceOf(WaitGoneError);
        expect(clock.sleeping).toBe(0);
    });

    it("is not gone for others who wait on the same collection", async () => {
        const { clock, things, begin } = startWaiting();
        ["a", "b"].forEach((id) => things.put(id, "NEW"));
        const [a, b] = [begin("a"), begin("b")];
        await clock.advance(300);
        things.remove("a");
        await clock.advance(7_000);
        expect([a.fate.state, b.fate.state]).toEqual(["rejected", "pending"]);
    });
});

describe("a wait for something to be gone", () => {
    it("goes on while it is there, in whatever status", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "DELETING");
        const { fate, progress } = begin("a", { until: "gone" });
        await clock.advance(120_000);
        expect(fate.state).toBe("pending");
        expect(progress.at(-1)?.status).toBe("DELETING");
    });

    it("ends when two answers in a row lack it", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "DELETING");
        const { fate } = begin("a", { until: "gone" });
        await clock.advance(300);
        things.remove("a");
        await clock.advance(900);
        expect(fate.state).toBe("pending");
        await clock.advance(500);
        expect(fate).toEqual({ state: "resolved", value: undefined });
        expect(clock.sleeping).toBe(0);
    });

    it("is not taken in by one answer that lacks it", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "DELETING");
        const { fate } = begin("a", { until: "gone" });
        await clock.advance(300);
        things.remove("a");
        await clock.advance(900);
        things.put("a", "DELETING");
        await clock.advance(60_000);
        expect(fate.state).toBe("pending");
    });

    it("ends soon when it was gone before the wait began: there is no half minute to wait", async () => {
        const { clock, begin } = startWaiting();
        const { fate } = begin("a", { until: "gone" });
        await clock.advance(800);
        expect(fate).toEqual({ state: "resolved", value: undefined });
    });

    it("fails when it can not be deleted", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "BROKEN");
        const { fate } = begin("a", { until: "gone" });
        await clock.advance(300);
        expect(fate.error).toBeInstanceOf(WaitFailedError);
    });
});
