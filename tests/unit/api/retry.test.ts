import { InvalidResponseError, ConnectionError, ApiError } from "../../../provider/api/errors";
import { Limiter } from "../../../provider/api/limiter";
import {
    LastingFailures,
    mayRepeat,
    retryBudgetFor,
    withRetries,
    type Retry,
    type RetryOptions,
} from "../../../provider/api/retry";
import { someCall } from "../../support/client";
import { fateOf, settled, TestClock } from "../../support/virtualClock";

const answered = (status: number, retryAfterMs?: number) =>
    new ApiError(someCall, status, undefined, undefined, retryAfterMs);
const garbled: Error = new InvalidResponseError(someCall, 200, "malformed JSON");
const incomplete: Error = new InvalidResponseError(someCall, 200, 'the response has no field "id"', "contract");
const elsewhere: Error = new InvalidResponseError(someCall, 404, "HTML instead of JSON", "address");
const within = (ms: number) => () => retryBudgetFor(answered(503), ms);
const broken = (code: string, carriedOut: "no" | "unknown") => new ConnectionError(someCall, code, carriedOut);

describe("the failures that are retried", () => {
    const refused = broken("ECONNREFUSED", "no");
    const reset = broken("ECONNRESET", "unknown");

    it.each([
        { failure: refused, get: true, post: true, remove: true, reason: "it was not processed" },
        {
            failure: reset,
            get: true,
            post: false,
            remove: true,
            reason: "it may have been processed, and only a POST is not idempotent",
        },
        {
            failure: answered(429),
            get: true,
            post: true,
            remove: true,
            reason: "a rate limit applies before processing",
        },
        { failure: answered(500), get: true, post: false, remove: true, reason: "it may have been processed partly" },
        {
            failure: answered(502),
            get: true,
            post: false,
            remove: true,
            reason: "a proxy does not know the result",
        },
        { failure: answered(503), get: true, post: false, remove: true, reason: "likewise" },
        { failure: answered(504), get: true, post: false, remove: true, reason: "likewise" },
        { failure: answered(501), get: false, post: false, remove: false, reason: "the operation does not exist" },
        { failure: answered(400), get: false, post: false, remove: false, reason: "the same request would fail again" },
        {
            failure: answered(401),
            get: true,
            post: true,
            remove: true,
            reason: "it was not processed, and may be transient",
        },
        { failure: answered(403), get: true, post: true, remove: true, reason: "likewise" },
        { failure: answered(408), get: true, post: false, remove: true, reason: "it may have been processed" },
        { failure: answered(520), get: true, post: false, remove: true, reason: "likewise" },
        { failure: answered(404), get: false, post: false, remove: false, reason: "that is a valid response" },
        {
            failure: answered(409),
            get: false,
            post: false,
            remove: false,
            reason: "waiting for a state is not retrying",
        },
        { failure: elsewhere, get: true, post: false, remove: true, reason: "the sender of the response is unknown" },
        {
            failure: garbled,
            get: true,
            post: false,
            remove: true,
            reason: "it was processed, and only a POST is not idempotent",
        },
        { failure: new Error("x"), get: false, post: false, remove: false, reason: "the error is unknown" },
    ])("$failure.message: GET $get, POST $post, DELETE $remove, because $reason", ({ failure, get, post, remove }) => {
        expect(mayRepeat("GET", failure)).toBe(get);
        expect(mayRepeat("POST", failure)).toBe(post);
        expect(mayRepeat("DELETE", failure)).toBe(remove);
    });
});

/** A call whose tries fail as told, one after the other, and then succeed. */
function start(failures: readonly Error[], options: Partial<RetryOptions> = {}) {
    const clock = options.clock instanceof TestClock ? options.clock : new TestClock();
    const tries: number[] = [];
    const send = () => {
        tries.push(clock.now());
        const failure = failures[tries.length - 1];
        return failure === undefined ? Promise.resolve("done") : Promise.reject(failure);
    };
    const fate = fateOf(
        withRetries(
            {
                method: "GET",
                clock,
                limiter: new Limiter(clock),
                random: () => 1,
                budget: () => retryBudgetFor(answered(503)),
                ...options,
            },
            send,
        ),
    );
    return { clock, tries, fate };
}

const always = (failure: Error): readonly Error[] => Array.from({ length: 1_000 }, () => failure);

describe("retries", () => {
    it("a successful request is not retried", async () => {
        const { clock, tries, fate } = start([]);
        await settled();
        expect(fate).toEqual({ state: "resolved", value: "done" });
        expect(tries).toEqual([0]);
        expect(clock.sleeping).toBe(0);
    });

    it("pauses double, up to five seconds", async () => {
        const { clock, tries, fate } = start(always(answered(503)).slice(0, 7), { budget: within(60_000) });
        await clock.advance(60_000);
        const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
        expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
        expect(fate.value).toBe("done");
    });

    it.each([
        { random: 0, pause: 125 },
        { random: 0.5, pause: 187.5 },
        { random: 1, pause: 250 },
    ])("jitter uses the upper half of the pause: random $random waits $pause ms", async ({ random, pause }) => {
        const { clock, tries } = start([answered(503)], { random: () => random });
        await clock.advance(pause - 1);
        expect(tries).toEqual([0]);
        await clock.advance(1);
        expect(tries).toEqual([0, pause]);
    });

    it("the call fails with the last failure if the budget would end during the pause", async () => {
        const failures = [answered(503), answered(500), answered(502), answered(504), ...always(answered(503))];
        const { clock, tries, fate } = start(failures, { budget: within(1_000) });
        await clock.advance(10_000);
        expect(tries).toEqual([0, 250, 750]);
        expect(fate).toEqual({ state: "rejected", error: failures[2] });
        expect(clock.sleeping).toBe(0);
    });

    it("a budget of zero allows no retry", async () => {
        const { clock, tries, fate } = start(always(answered(503)), { budget: within(0) });
        await clock.advance(1_000);
        expect(tries).toEqual([0]);
        expect(fate.state).toBe("rejected");
    });

    it("a call without a budget is retried for the default time", async () => {
        const { clock, tries, fate } = start(always(answered(503)));
        await clock.advance(100_000);
        expect(fate.state).toBe("rejected");
        const { failureMs } = retryBudgetFor(answered(503));
        expect(tries.at(-1)).toBeGreaterThan(failureMs - 5_000);
        expect(tries.at(-1)).toBeLessThanOrEqual(failureMs);
    });

    it.each([
        { failure: broken("ECONNRESET", "unknown"), reason: "the response was lost" },
        { failure: answered(500), reason: "the API failed" },
        { failure: answered(503), reason: "the API is unavailable" },
    ])("a POST is not retried when $reason", async ({ failure }) => {
        const { clock, tries, fate } = start([failure], { method: "POST" });
        await clock.advance(60_000);
        expect(tries).toEqual([0]);
        expect(fate).toEqual({ state: "rejected", error: failure });
    });

    it.each([
        { failure: broken("ECONNREFUSED", "no"), reason: "no process listens" },
        { failure: answered(429), reason: "there were too many requests" },
    ])("a POST is retried when $reason", async ({ failure }) => {
        const { clock, tries, fate } = start([failure], { method: "POST" });
        await clock.advance(60_000);
        expect(tries).toHaveLength(2);
        expect(fate.value).toBe("done");
    });

    it("other errors are thrown unchanged, even a TypeError", async () => {
        const bug = new TypeError("a bug");
        const { fate, tries } = start([bug]);
        await settled();
        expect(fate.error).toBe(bug);
        expect(tries).toEqual([0]);
    });
});

describe("the notification of retries", () => {
    function listen(failures: readonly Error[], options: Partial<RetryOptions> = {}) {
        const heard: Retry[] = [];
        return { heard, ...start(failures, { ...options, onRetry: (retry) => heard.push(retry) }) };
    }

    it("the caller receives the failure, its duration and the pause before each retry", async () => {
        const failures = [answered(503), garbled, broken("ECONNRESET", "unknown")];
        const { clock, heard } = listen(failures);
        await settled();
        expect(heard).toEqual([{ failure: failures[0], failingMs: 0, pauseMs: 250 }]);
        await clock.advance(10_000);
        expect(heard.slice(1)).toEqual([
            { failure: failures[1], failingMs: 250, pauseMs: 500 },
            { failure: failures[2], failingMs: 750, pauseMs: 1_000 },
        ]);
    });

    it.each([
        { failures: [], what: "success" },
        { failures: [answered(404)], what: "a failure for good" },
        { failures: [answered(503, 21_000)], what: "a pause that exceeds the budget" },
    ])("the caller is not notified of $what", async ({ failures }) => {
        const { clock, heard } = listen(failures);
        await clock.advance(60_000);
        expect(heard).toEqual([]);
    });
});

describe("the retry budget", () => {
    const unreachable = broken("ECONNREFUSED", "no");

    const wrongAddress = new ConnectionError(someCall, "ECONNREFUSED", "no", "address");

    it.each([
        { failure: wrongAddress, own: 3_600_000, is: 20_000, reason: "the address is probably wrong" },
        { failure: wrongAddress, own: 5_000, is: 5_000, reason: "the caller has a shorter budget" },
        { failure: wrongAddress, own: undefined, is: 20_000, reason: "the caller has no budget" },
        { failure: unreachable, own: 3_600_000, is: 3_600_000, reason: "it responded before" },
        { failure: unreachable, own: undefined, is: 20_000, reason: "the caller has no budget" },
        { failure: answered(503), own: 3_600_000, is: 3_600_000, reason: "that is a valid response" },
        { failure: elsewhere, own: 3_600_000, is: 20_000, reason: "the address is probably wrong" },
        { failure: garbled, own: 3_600_000, is: 3_600_000, reason: "its responses were valid before" },
        { failure: incomplete, own: 3_600_000, is: 20_000, reason: "the next response would be the same" },
        { failure: incomplete, own: 5_000, is: 5_000, reason: "the caller has a shorter budget" },
        { failure: answered(401), own: 3_600_000, is: 1_000, reason: "a wrong token does not become valid" },
        { failure: answered(403), own: undefined, is: 1_000, reason: "likewise" },
        { failure: answered(429), own: 0, is: 20_000, reason: "it concerns the rate, not the call" },
        { failure: answered(429), own: 3_600_000, is: 3_600_000, reason: "the caller has a longer budget" },
    ])("the budget is $is ms of $own for $failure.message, because $reason", ({ failure, own, is }) => {
        const { callerMs, failureMs } = retryBudgetFor(failure, own);
        expect(Math.min(callerMs, failureMs, new LastingFailures().endAt(failure, 0))).toBe(is);
    });

    it("a repeated denial ends the call, and one that is followed by other failures does not", async () => {
        const budget = (error: Error) => retryBudgetFor(error, 3_600_000);
        const once = start([answered(401), answered(503), answered(503), answered(403)], { budget });
        await once.clock.advance(60_000);
        expect(once.fate.value).toBe("done");
        const repeated = start(always(answered(401)), { budget });
        await repeated.clock.advance(2_000);
        expect(repeated.fate.error).toEqual(answered(401));
        expect(repeated.tries.length).toBeGreaterThan(1);
    });

    it("the budget of the caller starts when the first failed attempt is sent", async () => {
        const clock = new TestClock();
        const tries: number[] = [];
        const heard: number[] = [];
        const options = {
            method: "GET" as const,
            clock,
            limiter: new Limiter(clock),
            random: () => 1,
            budget: within(90_000),
            onRetry: ({ failingMs }: Retry) => heard.push(failingMs),
        };
        const fate = fateOf(
            withRetries(options, async () => {
                tries.push(clock.now());
                await clock.sleep(60_000);
                throw broken("ETIMEDOUT", "unknown");
            }),
        );
        await clock.advance(300_000);
        expect(tries).toEqual([0, 60_250]);
        expect(heard).toEqual([60_000]);
        expect(fate.state).toBe("rejected");
    });

    it("the default budget starts at the first failure, so a slow first attempt is retried", async () => {
        const clock = new TestClock();
        const limiter = new Limiter(clock);
        let tries = 0;
        const budget = (error: Error) => retryBudgetFor(error);
        const fate = fateOf(
            withRetries({ method: "GET", clock, limiter, random: () => 1, budget }, async () => {
                tries += 1;
                await clock.sleep(30_000);
                if (tries === 1) {
                    throw answered(504);
                }
                return "done";
            }),
        );
        await clock.advance(100_000);
        expect(fate.value).toBe("done");
    });

    it("the budget of the caller also applies to different failures in a row", async () => {
        const failures = [...always(answered(503)).slice(0, 60), ...always(incomplete)];
        const budget = (error: Error) => retryBudgetFor(error, 300_000);
        const { clock, tries, fate } = start(failures, { budget });
        await clock.advance(600_000);
        expect(fate.error).toBe(incomplete);
        expect(tries.at(-1)).toBeLessThanOrEqual(300_000);
    });

    it("the budget for failures that are not transient starts at the first consecutive one", async () => {
        const failures = [...always(answered(503)).slice(0, 10), incomplete, answered(503), incomplete];
        const budget = (error: Error) => retryBudgetFor(error, 3_600_000);
        const { clock, tries, fate } = start(failures, { budget });
        await clock.advance(600_000);
        expect(tries.length).toBe(failures.length + 1);
        expect(fate.value).toBe("done");
        const lasting = start(always(incomplete), { budget });
        await lasting.clock.advance(600_000);
        expect(lasting.fate.state).toBe("rejected");
        expect(lasting.tries.at(-1)).toBeLessThanOrEqual(20_000);
    });

    it("the wait for the limiter does not count towards the budget", async () => {
        const clock = new TestClock();
        const limiter = new Limiter(clock);
        limiter.rateLimited(await limiter.acquire(), 30_000);
        const { tries, fate } = start([answered(503)], { clock, limiter, budget: within(1_000) });
        await clock.advance(60_000);
        expect(tries).toHaveLength(2);
        expect(fate.value).toBe("done");
    });
});

describe("Retry-After", () => {
    it.each([429, 503])("the retry after a %d waits for the pause that the API requested", async (status) => {
        const { clock, tries } = start([answered(status, 7_000)]);
        await clock.advance(6_999);
        expect(tries).toEqual([0]);
        await clock.advance(1);
        expect(tries).toEqual([0, 7_000]);
    });

    it("Retry-After does not shorten the pause", async () => {
        const { clock, tries } = start([answered(503, 10)]);
        await clock.advance(1_000);
        expect(tries).toEqual([0, 250]);
    });

    it("a Retry-After that exceeds the budget ends the call at once", async () => {
        const { clock, fate } = start([answered(503, 21_000)]);
        await clock.advance(0);
        expect(fate.state).toBe("rejected");
    });
});

describe("an abort", () => {
    const reason = new Error("cancelled");

    it("an abort during a pause ends the call with the reason of the signal, and leaves no timer", async () => {
        const abort = new AbortController();
        const { clock, tries, fate } = start(always(answered(503)), { signal: abort.signal });
        await clock.advance(300);
        expect(clock.sleeping).toBe(1);
        abort.abort(reason);
        await settled();
        expect(fate).toEqual({ state: "rejected", error: reason });
        expect(clock.sleeping).toBe(0);
        await clock.advance(60_000);
        expect(tries).toEqual([0, 250]);
    });

    it("a call with an aborted signal is not sent", async () => {
        const { tries, fate } = start([], { signal: AbortSignal.abort(reason) });
        await settled();
        expect(tries).toEqual([]);
        expect(fate.error).toBe(reason);
    });

    it("an abort during the wait for the limiter ends the call at once", async () => {
        const clock = new TestClock();
        const limiter = new Limiter(clock);
        limiter.rateLimited(await limiter.acquire(), 5_000);
        const abort = new AbortController();
        const { tries, fate } = start([], { clock, limiter, signal: abort.signal });
        await settled();
        expect(clock.sleeping).toBe(1);
        abort.abort(reason);
        await settled();
        expect(fate.error).toBe(reason);
        expect(clock.sleeping).toBe(0);
        expect(tries).toEqual([]);
    });
});
