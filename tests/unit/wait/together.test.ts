import { pollTimesSince, startWaiting } from "../../support/waiting";

/** Random numbers that are the same in each run. */
function seededRandom(seed = 1): () => number {
    let state = seed;
    return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe("the times of polls", () => {
    it("a wait polls soon after its start, and then about once a second", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const beganAt = clock.now();
        begin("a");
        await clock.advance(4_000);
        expect(pollTimesSince(beganAt, things)).toEqual([300, 1_150, 2_000, 2_850, 3_700]);
    });

    it("a long wait polls less and less often", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        begin("a", { deadlineAt: clock.now() + 10_000_000 });
        const pollsIn = async (ms: number) => {
            const before = things.polls.length;
            await clock.advance(ms);
            return things.polls.length - before;
        };
        const [first, second, third] = [await pollsIn(600_000), await pollsIn(600_000), await pollsIn(600_000)];
        expect(first).toBeGreaterThan(second);
        expect(second).toBeGreaterThan(third);
        expect(third).toBeGreaterThan(10);
    });
});

describe("many waits on one collection", () => {
    const pollsFor = async (count: number, ms: number) => {
        const { clock, things, begin } = startWaiting(seededRandom());
        const ids = Array.from({ length: count }, (_, index) => `thing-${index}`);
        ids.forEach((id) => things.put(id, "NEW"));
        const waits = ids.map((id) => begin(id));
        await clock.advance(ms);
        ids.forEach((id) => things.put(id, "READY"));
        await clock.advance(60_000);
        expect(waits.every(({ fate }) => fate.state === "resolved")).toBe(true);
        expect(clock.sleeping).toBe(0);
        return things.polls;
    };

    it.each([10_000, 180_000, 1_800_000])(
        "a hundred waits of %d ms cause about as many requests as one",
        async (ms) => {
            const one = await pollsFor(1, ms);
            const hundred = await pollsFor(100, ms);
            expect(hundred.length).toBeLessThanOrEqual(Math.ceil(one.length * 1.2));
            expect(new Set(hundred.slice(0, -1).map(({ of }) => of))).toEqual(new Set(["list"]));
        },
    );

    it("many waits cause about as many requests as one, even when they start one after the other", async () => {
        const { clock, things, begin } = startWaiting(seededRandom());
        for (let index = 0; index < 100; index++) {
            things.put(`thing-${index}`, "NEW");
            begin(`thing-${index}`);
            await clock.advance(10);
        }
        await clock.advance(60_000);
        expect(things.polls.length).toBeLessThan(85);
    });

    it("many waits share each poll and its jitter, so that they stay together", async () => {
        const { clock, things, begin } = startWaiting(seededRandom());
        ["a", "b", "c"].forEach((id) => things.put(id, "NEW"));
        ["a", "b", "c"].forEach((id) => begin(id));
        await clock.advance(60_000);
        const together = things.polls.length;
        const alone = startWaiting(seededRandom());
        alone.things.put("a", "NEW");
        alone.begin("a");
        await alone.clock.advance(60_000);
        expect(Math.abs(together - alone.things.polls.length)).toBeLessThanOrEqual(2);
    });

    it("many waits end independently, each with its own item", async () => {
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

    it("a wait that joins an old one is polled soon, even if the next poll of the old one is much later", async () => {
        const { clock, things, begin } = startWaiting();
        ["old", "new"].forEach((id) => things.put(id, "NEW"));
        const old = begin("old", { deadlineAt: clock.now() + 10_000_000 });
        await clock.advance(3_000_000);
        const [before, joinedAt] = [things.polls.length, clock.now()];
        begin("new");
        things.put("old", "READY");
        await clock.advance(300);
        expect(pollTimesSince(joinedAt, things).slice(before)).toEqual([300]);
        expect(old.fate.state).toBe("resolved");
    });
});
