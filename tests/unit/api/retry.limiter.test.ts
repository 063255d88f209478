import { RateLimiter } from "../../../provider/api/retry";
import { fateOf, settled, TestClock } from "../../support/virtualClock";

function start() {
    const clock = new TestClock();
    const limiter = new RateLimiter(clock);
    /** The name of each caller and the time of its slot, in order. */
    const slots: [string, number][] = [];
    const request = (name: string, signal?: AbortSignal) =>
        fateOf(limiter.acquire(signal).then(() => void slots.push([name, clock.now()])));
    /** A request that immediately receives a 429. */
    const receive429 = async (retryAfterMs?: number) => limiter.rateLimited(await limiter.acquire(), retryAfterMs);
    /** The times until the slots of callers that ask now. */
    const waitsOf = async (...names: string[]) => {
        const [asked, before] = [clock.now(), slots.length];
        names.forEach((name) => request(name));
        await clock.advance(10_000);
        return slots.slice(before).map(([, at]) => at - asked);
    };
    return { clock, limiter, slots, request, receive429, waitsOf };
}

it("requests are not delayed before the first 429", async () => {
    const { clock, slots, request } = start();
    ["a", "b", "c"].forEach((name) => request(name));
    await settled();
    expect(slots.map(([, at]) => at)).toEqual([0, 0, 0]);
    expect(clock.sleeping).toBe(0);
});

it("a new caller does not overtake waiting ones", async () => {
    const { clock, slots, request, receive429 } = start();
    await receive429();
    const late = clock.sleep(100).then(() => request("late"));
    request("early");
    await clock.advance(1_000);
    await late;
    expect(slots.map(([name]) => name)).toEqual(["early", "late"]);
});

it("a 429 of a request that was sent before the first 429 is not counted again", async () => {
    const { clock, limiter, waitsOf } = start();
    const sent = await Promise.all(Array.from({ length: 32 }, () => limiter.acquire()));
    await clock.advance(50);
    sent.forEach((slot) => limiter.rateLimited(slot, undefined));
    expect(await waitsOf("a", "b", "c")).toEqual([100, 200, 300]);
});

it("the success of a request that was sent before a 429 does not increase the rate", async () => {
    const { limiter, waitsOf } = start();
    const sent = await Promise.all(Array.from({ length: 32 }, () => limiter.acquire()));
    limiter.rateLimited(sent[0] ?? 0, undefined);
    sent.slice(1).forEach((slot) => limiter.accepted(slot));
    expect(await waitsOf("a", "b")).toEqual([100, 200]);
});

it("each consecutive 429 doubles the gap, up to five seconds", async () => {
    const { clock, limiter } = start();
    const gaps: number[] = [];
    for (let round = 0; round < 8; round++) {
        const slot = fateOf(limiter.acquire());
        await clock.advance(60_000);
        limiter.rateLimited(slot.value ?? 0, undefined);
        const startedAt = clock.now();
        const next = limiter.acquire().then(() => gaps.push(clock.now() - startedAt));
        await clock.advance(60_000);
        await next;
    }
    expect(gaps).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
});

it("successful requests reduce the gap step by step, and finally to zero", async () => {
    const { clock, limiter, receive429, waitsOf } = start();
    await receive429();
    for (let call = 0; call < 50; call++) {
        const slot = fateOf(limiter.acquire());
        await clock.advance(1_000);
        limiter.accepted(slot.value ?? 0);
    }
    expect(await waitsOf("a", "b", "c")).toEqual([0, 0, 0]);
});

it("the first success after a 429 reduces the gap only slightly", async () => {
    const { clock, limiter, receive429, waitsOf } = start();
    await receive429();
    await clock.advance(1_000);
    limiter.accepted(await limiter.acquire());
    await clock.advance(1_000);
    const [first, second] = await waitsOf("a", "b");
    expect((second ?? 0) - (first ?? 0)).toBeCloseTo(95);
});

it("a pause that the API requests delays a call by at most one minute", async () => {
    const { clock, slots, request, receive429 } = start();
    await receive429(86_400_000);
    request("a");
    await clock.advance(60_000);
    expect(slots).toEqual([["a", 60_000]]);
});

it("an aborted caller gets no slot and leaves no timer, and the others keep their order", async () => {
    const { clock, slots, request, receive429 } = start();
    await receive429();
    request("a");
    const abort = new AbortController();
    const aborted = request("b", abort.signal);
    request("c");
    await settled();
    const reason = new Error("enough");
    abort.abort(reason);
    await clock.advance(1_000);
    expect(aborted).toEqual({ state: "rejected", error: reason });
    expect(slots.flat()).toEqual(["a", 100, "c", 200]);
    expect(clock.sleeping).toBe(0);
});
