import { AxiosError, type AxiosAdapter } from "axios";
import { Client } from "../../../provider/api/client";
import { InvalidResponseError, ConnectionError, ApiError, DeadlineError } from "../../../provider/api/callErrors";
import { RateLimiter, reactionTo, withRetries, type Retry } from "../../../provider/api/retry";
import { sendWithRetries, someCall, withToken, type SendOptions } from "../../support/client";
import { fateOf, settled, TestClock } from "../../support/virtualClock";

const apiError = (status: number, retryAfterMs?: number) =>
    new ApiError(someCall, status, undefined, undefined, retryAfterMs);
const garbled: Error = new InvalidResponseError(someCall, 200, "malformed JSON");
const broken = (code: string, happened: "no" | "maybe") => new ConnectionError(someCall, code, happened);

/** A call whose attempts fail with these errors in sequence, and then succeed, each after some time. */
function start(failures: readonly Error[], options: Partial<SendOptions> = {}, tookMs = 0) {
    const clock = options.clock instanceof TestClock ? options.clock : new TestClock();
    const tries: number[] = [];
    const send = async () => {
        tries.push(clock.now());
        const failure = failures[tries.length - 1];
        await (tookMs > 0 && clock.sleep(tookMs));
        return failure === undefined ? Promise.resolve("done") : Promise.reject(failure);
    };
    const given = { clock, limiter: new RateLimiter(clock), random: () => 1, operation: "listVpcs" };
    const fate = fateOf(sendWithRetries({ ...given, deadlineAt: clock.now() + 20_000, ...options }, send));
    return { clock, tries, fate };
}

const always = (failure: Error): readonly Error[] => Array.from({ length: 1_000 }, () => failure);

describe("retries", () => {
    it("the pauses between retries double, up to five seconds", async () => {
        const { clock, tries, fate } = start(always(apiError(503)).slice(0, 7), { deadlineAt: 60_000 });
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
        const { clock, tries } = start([apiError(503)], { random: () => random });
        await clock.advance(pause - 1);
        expect(tries).toEqual([0]);
        await clock.advance(1);
        expect(tries).toEqual([0, pause]);
    });

    it("the call fails with the last failure if the deadline is during the pause", async () => {
        const failures = [apiError(503), apiError(500), apiError(502), apiError(504), ...always(apiError(503))];
        const { clock, tries, fate } = start(failures, { deadlineAt: 1_000 });
        await clock.advance(10_000);
        expect(tries).toEqual([0, 250, 750]);
        expect(fate.error).toBeInstanceOf(DeadlineError);
        expect(fate.error).toMatchObject({ message: failures[2]?.message, cause: failures[2] });
        expect(clock.sleeping).toBe(0);
    });

    it.each<[Partial<SendOptions>, object]>([
        [{ deadlineAt: 0 }, { name: "DeadlineError", message: expect.stringContaining("passed") as string }],
        [{ signal: AbortSignal.abort(new Error("cancelled")) }, { message: "cancelled" }],
    ])("a call whose deadline has passed, or with an aborted signal, is not sent: %#", async (options, error) => {
        const { tries, fate } = start([], options);
        await settled();
        expect(tries).toEqual([]);
        expect(fate.error).toMatchObject(error);
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
    function listen(failures: readonly Error[], options: Partial<SendOptions> = {}) {
        const heard: Retry[] = [];
        return { heard, ...start(failures, { ...options, onRetry: (retry) => heard.push(retry) }) };
    }

    it("the caller receives the failure, its duration and the pause before each retry", async () => {
        const failures = [apiError(503), garbled, broken("ECONNRESET", "maybe")];
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
        { failures: [apiError(404)], what: "a permanent failure" },
        { failures: [apiError(503, 21_000)], what: "a pause that exceeds the time limit" },
    ])("the caller is not notified of $what", async ({ failures }) => {
        const { clock, heard } = listen(failures);
        await clock.advance(60_000);
        expect(heard).toEqual([]);
    });
});

/** The error of a call that is still in the queue of the rate limiter at its deadline. */
const isLimited = {
    name: "DeadlineError",
    parts: {
        what: expect.stringContaining("429") as string,
        ways: [{ label: "Too many requests", text: expect.stringContaining("parallelism") as string }],
    },
};

describe("the deadline", () => {
    it("an attempt counts towards the time limit", async () => {
        const heard: number[] = [];
        const onRetry = ({ failingMs }: Retry) => heard.push(failingMs);
        const timeouts = always(broken("ETIMEDOUT", "maybe"));
        const { clock, fate, tries } = start(timeouts, { deadlineAt: 90_000, onRetry }, 60_000);
        await clock.advance(300_000);
        expect(tries).toEqual([0, 60_250]);
        expect(heard).toEqual([60_000]);
        expect(fate.state).toBe("rejected");
    });

    it.each([
        { timeMs: 10_000, is: "rejected" },
        { timeMs: 31_000, is: "resolved" },
    ])("a call that must wait 30 s for its turn is $is within $timeMs ms", async ({ timeMs, is }) => {
        const clock = new TestClock();
        const limiter = new RateLimiter(clock);
        limiter.rateLimited(await limiter.acquire(), 30_000);
        const { tries, fate } = start([], { clock, limiter, deadlineAt: timeMs });
        await clock.advance(timeMs);
        expect(fate.state).toBe(is);
        expect(tries).toEqual(is === "resolved" ? [30_000] : []);
        if (is === "rejected") {
            expect(fate.error).toMatchObject(isLimited);
        }
        expect(clock.sleeping).toBe(0);
    });

    it("the rate limit is the reason if a call waits for its turn at the deadline, even after another failure", async () => {
        const clock = new TestClock();
        const limiter = new RateLimiter(clock);
        const { fate } = start([apiError(503)], { clock, limiter, deadlineAt: 5_000 });
        await settled();
        limiter.rateLimited(await limiter.acquire(), 30_000);
        await clock.advance(5_000);
        expect(fate.error).toMatchObject(isLimited);
    });

    it("a call that leaves the queue at its deadline delays no other call", async () => {
        const clock = new TestClock();
        const limiter = new RateLimiter(clock);
        limiter.rateLimited(await limiter.acquire(), 30_000);
        const hurried = start([], { clock, limiter, deadlineAt: 5_000 });
        const patient = start([], { clock, limiter, deadlineAt: 60_000 });
        await clock.advance(30_000);
        expect(hurried.fate.error).toBeInstanceOf(DeadlineError);
        expect(patient.tries).toEqual([30_000]);
    });
});

it.each([
    { limited: false, cause: "the response to listVpcs" },
    { limited: true, cause: "its turn to send listVpcs, because the API limits the rate of requests" },
])("a slow attempt is reported to the caller after two seconds: it waits for $cause", async ({ limited, cause }) => {
    const clock = new TestClock();
    const limiter = new RateLimiter(clock);
    if (limited) {
        limiter.rateLimited(await limiter.acquire(), 30_000);
    }
    const told: string[] = [];
    const onSlow = (waitsFor: string) => told.push(waitsFor);
    const { fate } = start([], { clock, limiter, deadlineAt: 60_000, onSlow }, 10_000);
    await clock.advance(1_999);
    expect(told).toEqual([]);
    await clock.advance(1);
    expect(told).toEqual([cause]);
    await clock.advance(58_000);
    expect(told).toHaveLength(1);
    expect(fate.state).toBe("resolved");
    expect(clock.sleeping).toBe(0);
});

it("Retry-After does not shorten the pause", async () => {
    const { clock, tries } = start([apiError(503, 10)]);
    await clock.advance(1_000);
    expect(tries).toEqual([0, 250]);
});

it("a Retry-After after the deadline ends the call at once, and the error states it", async () => {
    const { clock, fate } = start([apiError(503, 21_000)]);
    await clock.advance(0);
    expect(fate.error).toBeInstanceOf(DeadlineError);
    expect((fate.error as DeadlineError).pause).toContain("21");
});

it.each([
    { place: "at the head of the queue", ahead: 0 },
    { place: "behind another call", ahead: 1 },
])("an abort during the wait for the limiter ends the call at once, $place", async ({ ahead }) => {
    const reason = new Error("cancelled");
    const clock = new TestClock();
    const limiter = new RateLimiter(clock);
    limiter.rateLimited(await limiter.acquire(), 5_000);
    const abort = new AbortController();
    Array.from({ length: ahead }, () => fateOf(limiter.acquire()));
    const { tries, fate } = start([], { clock, limiter, signal: abort.signal });
    await settled();
    abort.abort(reason);
    await settled();
    expect(fate.error).toBe(reason);
    expect(clock.sleeping).toBe(ahead);
    expect(tries).toEqual([]);
});

/** A response of the API or of a proxy, or a failure of the network. */
type Answer = { readonly status: number; readonly text?: string } | { readonly code: string; readonly syscall: string };

describe("the time for which a read is repeated that always fails", () => {
    /** The time of the last attempt, in seconds, and whether only the deadline has ended the call. */
    async function lastAttempt(answer: Answer, isKnown: boolean) {
        const clock = new TestClock();
        const answers: Answer[] = isKnown ? [{ status: 200, text: "[]" }] : [];
        let lastAt = 0;
        const adapter: AxiosAdapter = (config) => {
            lastAt = clock.now();
            const current = answers.shift() ?? answer;
            return "code" in current
                ? Promise.reject(AxiosError.from(Object.assign(new Error("broken"), current), undefined, config))
                : Promise.resolve({ ...current, data: current.text ?? "", statusText: "", headers: {}, config });
        };
        const client = new Client(withToken("http://127.0.0.1:9/v1"), { clock, adapter, random: () => 1 });
        const list = () => client.call("listVpcs", { path: { project_id: "p" } }, { deadlineAt: 120_000 });
        await (isKnown ? list() : undefined);
        const fate = fateOf(list());
        await clock.advance(120_000);
        expect(clock.sleeping).toBe(0);
        return fate.error instanceof DeadlineError ? Infinity : lastAt / 1_000;
    }

    const refusal = (status: number): Answer => ({ status, text: '{"code":"NO","message":"no"}' });
    const page = (status: number): Answer => ({ status, text: "<html>" });

    it.each<{ reason: string; answers: readonly Answer[]; known: number; unknown: number }>([
        {
            reason: "no process listens, and at an unknown address none may ever do",
            answers: [{ code: "ECONNREFUSED", syscall: "connect" }],
            known: Infinity,
            unknown: 3,
        },
        {
            reason: "an unknown address may be wrong",
            answers: [
                { code: "ENOTFOUND", syscall: "getaddrinfo" },
                { code: "ECONNRESET", syscall: "read" },
                ...[200, 400, 401, 404, 501].map(page),
                { status: 404 },
            ],
            known: Infinity,
            unknown: 20,
        },
        { reason: "an address that redirects is another one", answers: [page(302)], known: Infinity, unknown: 0 },
        {
            reason: "an outage or a rate limit passes",
            answers: [...[408, 429, 500, 503].map(refusal), ...[502, 520].map(page), { status: 429 }],
            known: Infinity,
            unknown: Infinity,
        },
        {
            reason: "the next response would be the same",
            answers: [{ status: 200, text: '{"a":1}' }],
            known: 20,
            unknown: 20,
        },
        {
            reason: "a single denial may be an error of the API, but a wrong token does not become valid",
            answers: [refusal(401), refusal(403)],
            known: 1,
            unknown: 1,
        },
        { reason: "the same request fails again", answers: [400, 404, 409, 501].map(refusal), known: 0, unknown: 0 },
    ])("is $known s, and $unknown s at an address without a valid response: $reason", async (row) => {
        for (const answer of row.answers) {
            for (const [isKnown, limitS] of [
                [true, row.known],
                [false, row.unknown],
            ] as const) {
                const lastS = await lastAttempt(answer, isKnown);
                expect(lastS).toBeLessThanOrEqual(limitS);
                expect(lastS).toBeGreaterThanOrEqual(limitS / 2);
            }
        }
    });
});

it.each(["GET", "POST", "DELETE"] as const)("a rejected %s fails", (method) => {
    const rejected = new ApiError({ ...someCall, method }, 400, undefined, undefined, undefined);
    expect(reactionTo(rejected)).toBe("fail");
});

const denied = apiError(401);
const incomplete = new InvalidResponseError(someCall, 200, 'the response has no field "id"', "contract");

/** The pauses after failures at these times, until one is final. */
async function pausesAfter(failures: readonly (readonly [at: number | undefined, error: Error])[], random: number) {
    const clock = new TestClock();
    const pauses: number[] = [];
    const onRetry = ({ pauseMs }: Retry) => pauses.push(pauseMs);
    const options = { clock, random: () => random, deadlineAt: Infinity, onRetry };
    await withRetries(options, (last) => {
        const [at, error] = failures[pauses.length] ?? [];
        clock.skip(at === undefined ? (last?.pauseMs ?? 0) : at - clock.now());
        return error === undefined ? Promise.resolve() : Promise.reject(error);
    }).catch(() => undefined);
    return pauses;
}

it("the last retry is at the time limit, and a longer pause that the API asks for is made in addition", async () => {
    const pausesOf = (...errors: Error[]) =>
        pausesAfter(
            errors.map((error) => [undefined, error] as const),
            1,
        );
    expect(await pausesOf(denied, denied, denied, denied)).toEqual([250, 500, 250]);
    const asking = apiError(401, 60_000);
    expect(await pausesOf(asking, asking, asking, asking)).toEqual([60_000, 60_000, 60_000]);
    expect(await pausesOf(apiError(401, 0), apiError(503, 0), apiError(503, 0))).toEqual([250, 500, 1_000]);
});

it("the time for which a failure is retried begins again after another failure", async () => {
    const failures = [
        [0, incomplete],
        [15_000, apiError(503)],
        [30_000, incomplete],
        [50_001, incomplete],
        [50_002, incomplete],
    ] as const;
    expect(await pausesAfter(failures, 0)).toHaveLength(3);
});
