import { looksSince, startWaiting } from "../../support/waiting";

/** Chance that is the same in each run. */
function chance(seed = 1): () => number {
    let state = seed;
    return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe("when looks are taken", () => {
    it("is soon after the wait begins, and then about once a second", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const beganAt = clock.now();
        begin("a");
        await clock.advance(4_000);
        expect(looksSince(beganAt, things)).toEqual([300, 1_150, 2_000, 2_850, 3_700]);
    });

    it("is ever less often, the longer it takes", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        begin("a", { deadlineAt: clock.now() + 10_000_000 });
        const looksIn = async (ms: number) => {
            const before = things.looks.length;
            await clock.advance(ms);
            return things.looks.length - before;
        };
        const [first, second, third] = [await looksIn(600_000), await looksIn(600_000), await looksIn(600_000)];
        expect(first).toBeGreaterThan(second);
        expect(second).toBeGreaterThan(third);
        expect(third).toBeGreaterThan(10);
    });

    it("is closer about the time after which others of the kind were done", async () => {
        const looksAround = async (...taken: readonly number[]) => {
            const { clock, things, history, begin } = startWaiting();
            things.put("a", "NEW");
            begin("a");
            await clock.advance(560_000);
            taken.forEach((took) => history.record("create", took));
            const before = things.looks.length;
            await clock.advance(80_000);
            return things.looks.length - before;
        };
        expect(await looksAround(600_000)).toBeGreaterThan(1.4 * (await looksAround()));
        expect(await looksAround(60_000)).toBe(await looksAround());
    });
});

describe("what is learnt", () => {
    it("is how long each wait took that ended well, by its kind", async () => {
        const { clock, things, history, begin } = startWaiting();
        things.put("a", "NEW");
        begin("a", { kind: "fork" });
        begin("b", { kind: "delete", until: "gone" });
        await clock.advance(10_000);
        things.put("a", "READY");
        await clock.advance(1_000);
        const { longestMs = 0 } = history.of("fork") ?? {};
        expect(longestMs).toBeGreaterThanOrEqual(10_000);
        expect(longestMs).toBeLessThanOrEqual(11_000);
        expect(history.of("delete")?.longestMs).toBeLessThan(1_500);
    });

    it("is nothing from a wait for what others began, nobody knows when", async () => {
        const { clock, things, history, begin } = startWaiting();
        history.record("create", 600_000);
        things.put("a", "READY");
        begin("a", { kind: undefined });
        await clock.advance(1_000);
        expect(history.of("create")).toEqual({ shortestMs: 600_000, longestMs: 600_000 });
    });

    it("is nothing from waits that failed, ran out of time or were ended", async () => {
        const { clock, things, history, begin } = startWaiting();
        things.put("broken", "BROKEN");
        things.put("late", "NEW");
        const abort = new AbortController();
        begin("broken");
        begin("late", { deadlineAt: clock.now() + 5_000 });
        begin("late", { signal: abort.signal });
        await clock.advance(6_000);
        abort.abort(new Error("cancelled"));
        await clock.advance(1_000);
        expect(clock.sleeping).toBe(0);
        expect(history.of("create")).toBeUndefined();
    });
});

describe("many waits on one collection", () => {
    const looksFor = async (count: number, ms: number) => {
        const { clock, things, begin } = startWaiting(chance());
        const ids = Array.from({ length: count }, (_, index) => `thing-${index}`);
        ids.forEach((id) => things.put(id, "NEW"));
        const waits = ids.map((id) => begin(id));
        await clock.advance(ms);
        ids.forEach((id) => things.put(id, "READY"));
        await clock.advance(60_000);
        expect(waits.every(({ fate }) => fate.state === "resolved")).toBe(true);
        expect(clock.sleeping).toBe(0);
        return things.looks;
    };

    it.each([10_000, 180_000, 1_800_000])("cost about what one costs: a hundred of %d ms each", async (ms) => {
        const one = await looksFor(1, ms);
        const hundred = await looksFor(100, ms);
        expect(hundred.length).toBeLessThanOrEqual(Math.ceil(one.length * 1.2));
        expect(new Set(hundred.slice(0, -1).map(({ of }) => of))).toEqual(new Set(["list"]));
    });

    it("cost about what one costs, also when they begin one after the other", async () => {
        const { clock, things, begin } = startWaiting(chance());
        for (let index = 0; index < 100; index++) {
            things.put(`thing-${index}`, "NEW");
            begin(`thing-${index}`);
            await clock.advance(10);
        }
        await clock.advance(60_000);
        expect(things.looks.length).toBeLessThan(85);
    });

    it("share each look and the chance that spreads the next, so that they stay together", async () => {
        const { clock, things, begin } = startWaiting(chance());
        ["a", "b", "c"].forEach((id) => things.put(id, "NEW"));
        ["a", "b", "c"].forEach((id) => begin(id));
        await clock.advance(60_000);
        const together = things.looks.length;
        const alone = startWaiting(chance());
        alone.things.put("a", "NEW");
        alone.begin("a");
        await alone.clock.advance(60_000);
        expect(Math.abs(together - alone.things.looks.length)).toBeLessThanOrEqual(2);
    });

    it("end each at its own time, with its own item", async () => {
        const { clock, things, begin } = startWaiting();
        ["a", "b", "c"].forEach((id) => things.put(id, "NEW"));
        const waits = ["a", "b", "c"].map((id) => begin(id));
        await clock.advance(1_000);
        for (const id of ["b", "c", "a"]) {
            things.put(id, "READY");
            await clock.advance(1_000);
            expect(waits.filter(({ fate }) => fate.value?.id === id)).toHaveLength(1);
        }
        expect(waits.map(({ fate }) => fate.value?.id)).toEqual(["a", "b", "c"]);
        expect(clock.sleeping).toBe(0);
    });

    it("take a look soon for one that joins an old wait, whose next look is far away", async () => {
        const { clock, things, begin } = startWaiting();
        ["old", "new"].forEach((id) => things.put(id, "NEW"));
        const old = begin("old", { deadlineAt: clock.now() + 10_000_000 });
        await clock.advance(3_000_000);
        const [before, joinedAt] = [things.looks.length, clock.now()];
        begin("new");
        things.put("old", "READY");
        await clock.advance(300);
        expect(looksSince(joinedAt, things).slice(before)).toEqual([300]);
        expect(old.fate.state).toBe("resolved");
    });
});
