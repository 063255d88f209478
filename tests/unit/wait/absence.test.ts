import { WaitFailedError, WaitGoneError } from "../../../provider/wait/errors";
import { startWaiting } from "../../support/waiting";

describe("a new resource that is not visible to reads yet", () => {
    it("the wait for a resource that is not visible yet polls more often than usual", async () => {
        const { clock, things, begin } = startWaiting();
        const { fate, progress } = begin("a");
        await clock.advance(10_000);
        expect(fate.state).toBe("pending");
        expect(things.polls.length).toBeGreaterThanOrEqual(20);
        expect(progress[0]?.detail).toBe("not found");
        things.put("a", "READY");
        await clock.advance(500);
        expect(fate.state).toBe("resolved");
    });

    it("the wait for a resource that is not visible yet is equally long when it polls the list", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("another", "NEW");
        const { fate } = begin("a", { source: things.listOnly });
        await clock.advance(29_000);
        expect(fate.state).toBe("pending");
        things.put("a", "READY");
        await clock.advance(1_000);
        expect(fate.state).toBe("resolved");
    });

    it("a new resource counts as deleted if it is not visible after half a minute", async () => {
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

    it('the wait times out with the status "not visible yet" if its deadline is earlier', async () => {
        const { clock, begin } = startWaiting();
        const { fate } = begin("a", { deadlineAt: clock.now() + 10_000 });
        await clock.advance(10_000);
        expect((fate.error as Error).message).toContain("not visible yet for 10 s (last poll: not found)");
    });
});

describe("a resource that was visible before", () => {
    it("one response without the resource is followed by another poll after half a second", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const { fate, progress } = begin("a");
        await clock.advance(300);
        things.remove("a");
        await clock.advance(900);
        things.put("a", "NEW");
        await clock.advance(500);
        expect(things.polls.map(({ at }) => at - 1_000_000)).toEqual([300, 1_150, 1_650]);
        expect(progress.map(({ status, detail }) => [status, detail])).toEqual([
            ["NEW", undefined],
            ["NEW", "not found"],
            ["NEW", undefined],
        ]);
        expect(fate.state).toBe("pending");
    });

    it("single responses without the resource do not end the wait", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const { fate } = begin("a");
        for (let slip = 0; slip < 5; slip++) {
            await clock.advance(900);
            things.remove("a");
            const polls = things.polls.length;
            while (things.polls.length === polls) {
                await clock.advance(100);
            }
            things.put("a", "NEW");
        }
        await clock.advance(5_000);
        expect(fate.state).toBe("pending");
    });

    it("a visible resource counts as deleted after two consecutive responses without it", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const { fate } = begin("a");
        await clock.advance(40_000);
        things.remove("a");
        const polls = things.polls.length;
        while (fate.state === "pending") {
            await clock.advance(100);
        }
        expect(fate.error).toBeInstanceOf(WaitGoneError);
        expect(things.polls.length - polls).toBe(2);
        expect(clock.sleeping).toBe(0);
    });

    it("a new resource counts as deleted only after several seconds, because not every server of the API sees it at once", async () => {
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

    it("a deleted resource does not end other waits on the same collection", async () => {
        const { clock, things, begin } = startWaiting();
        ["a", "b"].forEach((id) => things.put(id, "NEW"));
        const [a, b] = [begin("a"), begin("b")];
        await clock.advance(300);
        things.remove("a");
        await clock.advance(7_000);
        expect([a.fate.state, b.fate.state]).toEqual(["rejected", "pending"]);
    });
});

describe("a wait for a deletion", () => {
    it("the wait for a deletion continues while the resource exists, in any status", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "DELETING");
        const { fate, progress } = begin("a", { until: "gone" });
        await clock.advance(120_000);
        expect(fate.state).toBe("pending");
        expect(progress.at(-1)?.status).toBe("DELETING");
    });

    it("the wait for a deletion ends after two consecutive responses without the resource", async () => {
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

    it("the wait for a deletion does not end after one response without the resource", async () => {
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

    it("the wait for a deletion ends soon if the resource was deleted before", async () => {
        const { clock, begin } = startWaiting();
        const { fate } = begin("a", { until: "gone" });
        await clock.advance(800);
        expect(fate).toEqual({ state: "resolved", value: undefined });
    });

    it("the wait for a deletion fails if the resource cannot be deleted", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "BROKEN");
        const { fate } = begin("a", { until: "gone" });
        await clock.advance(300);
        expect(fate.error).toBeInstanceOf(WaitFailedError);
    });
});
