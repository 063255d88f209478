import type { CallOptions } from "../../../provider/api/client";
import { ApiError, DeadlineError } from "../../../provider/api/errors";
import { Limiter } from "../../../provider/api/limiter";
import { withRetries, type Retry } from "../../../provider/api/retry";
import { sharedGapMs } from "../../../provider/wait/schedule";
import { SharedCalls } from "../../../provider/wait/shared";
import { someCall } from "../../support/client";
import { fateOf, TestClock } from "../../support/virtualClock";

/** A call that lasts until a test ends it. */
interface Open {
    readonly at: number;
    readonly options: CallOptions;
    readonly succeed: (value: string) => void;
    readonly fail: (error: Error) => void;
}

const apiError = (status: number) => new ApiError(someCall, status, undefined, undefined, undefined);

function calls() {
    const clock = new TestClock();
    const shared = new SharedCalls(clock);
    const open: Open[] = [];
    const call = (options: CallOptions) =>
        new Promise<string>((succeed, fail) => open.push({ at: clock.now(), options, succeed, fail }));
    /** Asks with this much time. */
    const ask = (key = "a", timeMs = 60_000, options: CallOptions = {}) =>
        shared.call(key, call, { ...options, deadlineAt: clock.now() + timeMs });
    /** The last call fails, and is retried. */
    const retry = (retried: Partial<Retry> = {}) =>
        open.at(-1)?.options.onRetry?.({ failure: apiError(503), failingMs: 0, pauseMs: 1_000, ...retried });
    return { clock, open, ask, retry };
}

describe("a shared call", () => {
    it("all callers during a call share the next one, which starts after they joined", async () => {
        const { clock, open, ask } = calls();
        const first = ask();
        const others = Array.from({ length: 100 }, () => ask());
        await clock.advance(10 * sharedGapMs);
        expect(open).toHaveLength(1);
        open[0]?.succeed("old");
        expect(await first).toBe("old");
        await clock.advance(0);
        expect(open).toHaveLength(2);
        open[1]?.succeed("new");
        expect(new Set(await Promise.all(others))).toEqual(new Set(["new"]));
    });

    it("the first call starts at once, and the next one after a minimum interval", async () => {
        const { clock, open, ask } = calls();
        const answers: Promise<string>[] = [];
        for (let caller = 0; caller < 100; caller++) {
            answers.push(ask());
            await clock.advance(1);
            open.forEach(({ at, succeed }) => {
                succeed(String(at));
            });
        }
        await clock.advance(sharedGapMs);
        open.at(-1)?.succeed("last");
        expect(open.map(({ at }) => at)).toEqual([0, sharedGapMs, 2 * sharedGapMs]);
        const startTimes = (await Promise.all(answers)).map(Number);
        expect(startTimes.slice(0, -1).every((at, caller) => at >= caller)).toBe(true);
        expect(clock.sleeping).toBe(0);
    });

    it("a call is not shared between keys, or with callers after its end", async () => {
        const { clock, open, ask } = calls();
        const [a, b] = [ask("a"), ask("b")];
        expect(open).toHaveLength(2);
        open.forEach(({ succeed }, index) => {
            succeed(String(index));
        });
        expect(await Promise.all([a, b])).toEqual(["0", "1"]);
        await clock.advance(sharedGapMs);
        void ask("a");
        expect(open).toHaveLength(3);
    });

    it("a failed call fails for its callers, and not for later ones", async () => {
        const { clock, open, ask } = calls();
        const [first, second] = [ask(), ask()];
        open[0]?.fail(new Error("no"));
        await expect(first).rejects.toThrow("no");
        await clock.advance(sharedGapMs);
        open[1]?.succeed("yes");
        expect(await second).toBe("yes");
    });
});

describe("a retried shared call", () => {
    it("a call is retried for the caller with the most time, and the others fail at their deadlines", async () => {
        const { clock, open, ask, retry } = calls();
        void ask();
        const hurried = fateOf(ask("a", 5_000));
        const patient = fateOf(ask("a", 60_000));
        const expired = fateOf(ask("a", 0));
        open[0]?.succeed("old");
        await clock.advance(sharedGapMs);
        expect(expired.error).toBeInstanceOf(DeadlineError);
        retry();
        await clock.advance(4_000);
        expect([hurried, patient].map(({ state }) => state)).toEqual(["pending", "pending"]);
        retry();
        await clock.advance(0);
        expect(hurried.error).toBeInstanceOf(DeadlineError);
        expect((hurried.error as Error).message).toContain("failed with 503");
        expect(patient.state).toBe("pending");
        open[1]?.succeed("new");
        await clock.advance(0);
        expect(patient.value).toBe("new");
        expect(clock.sleeping).toBe(0);
    });

    it("callers that join before a retry share it, and each one is notified", async () => {
        const { clock, open, ask, retry } = calls();
        const notices: string[] = [];
        const asking = (name: string, timeMs: number) =>
            fateOf(ask("a", timeMs, { onRetry: () => notices.push(name) }));
        const first = asking("first", 10_000);
        const second = asking("second", 60_000);
        retry();
        expect(notices).toEqual(["first", "second"]);
        await clock.advance(9_500);
        retry();
        expect(notices).toEqual(["first", "second", "second"]);
        await clock.advance(0);
        expect(first.state).toBe("rejected");
        open[0]?.succeed("at last");
        await clock.advance(10 * sharedGapMs);
        expect(second.value).toBe("at last");
        expect(open).toHaveLength(1);
    });

    it("a caller that joins during a long pause is notified, and fails at once if it has less time", async () => {
        const { clock, open, ask, retry } = calls();
        const notices: Retry[] = [];
        void ask("a", 3_600_000);
        retry({ pauseMs: 1_800_000 });
        await clock.advance(1_000);
        const hurried = fateOf(ask("a", 300_000));
        const patient = fateOf(ask("a", 3_600_000, { onRetry: (notice) => notices.push(notice) }));
        await clock.advance(0);
        expect([hurried, patient].map(({ state }) => state)).toEqual(["rejected", "pending"]);
        expect(notices).toEqual([{ failure: apiError(503), failingMs: 0, pauseMs: 1_799_000 }]);
        open[0]?.succeed("old");
        await clock.advance(0);
        open[1]?.succeed("new");
        await clock.advance(0);
        expect(patient.value).toBe("new");
    });

    it.each([503, 429])("a call with a %d ends when it has no callers left", async (status) => {
        const clock = new TestClock();
        const limiter = new Limiter(clock);
        let tries = 0;
        const call = ({ deadlineAt = 0, ...options }: CallOptions) =>
            withRetries(
                { operation: "listVpcs", method: "GET", clock, limiter, random: () => 1, deadlineAt, ...options },
                () => {
                    tries += 1;
                    return Promise.reject(apiError(status));
                },
            );
        const fate = fateOf(new SharedCalls(clock).call("a", call, { deadlineAt: 100 }));
        while (fate.state === "pending") {
            await clock.advance(100);
        }
        const before = tries;
        await clock.advance(120_000);
        expect(tries).toBe(before);
        expect(clock.sleeping).toBe(0);
    });
});

describe("a shared call without an answer", () => {
    it("each caller fails at its own deadline, and the call is aborted when the last one has left", async () => {
        const { clock, open, ask } = calls();
        void ask("things");
        const hurried = fateOf(ask("things", 5_000));
        const patient = fateOf(ask("things", 60_000));
        const next = fateOf(ask("things", 7_000));
        open[0]?.succeed("old");
        await clock.advance(4_999);
        expect(hurried.state).toBe("pending");
        await clock.advance(1);
        expect(hurried.error).toBeInstanceOf(DeadlineError);
        expect((hurried.error as Error).message).toContain("did not return the things within the time limit");
        await clock.advance(2_000);
        expect([next.state, patient.state]).toEqual(["rejected", "pending"]);
        expect(open[1]?.options.signal?.aborted).toBe(false);
        await clock.advance(53_000);
        expect(patient.state).toBe("rejected");
        expect(open[1]?.options.signal?.aborted).toBe(true);
        expect(open).toHaveLength(2);
        expect(clock.sleeping).toBe(0);
    });

    it("a caller that joins a call without an answer fails at its own deadline", async () => {
        const { clock, open, ask } = calls();
        void ask("things", 60_000);
        await clock.advance(1_000);
        const joined = fateOf(ask("things", 5_000));
        await clock.advance(5_000);
        expect(joined.error).toBeInstanceOf(DeadlineError);
        expect(open).toHaveLength(1);
    });

    it("each caller is told what the call waits for", () => {
        const { open, ask } = calls();
        const told: string[] = [];
        ["a", "b"].forEach((name) => {
            void ask("things", 60_000, { onSlow: (waitsFor) => told.push(`${name} waits for ${waitsFor}`) });
        });
        open[0]?.options.onSlow?.("the response to listThings");
        expect(told).toEqual(["a waits for the response to listThings"]);
    });

    it("an abort of the last caller ends the call", async () => {
        const { clock, open, ask } = calls();
        const abort = new AbortController();
        const fate = fateOf(ask("things", 60_000, { signal: abort.signal }));
        await clock.advance(1_000);
        const reason = new Error("cancelled");
        abort.abort(reason);
        await clock.advance(0);
        expect(fate.error).toBe(reason);
        expect(open[0]?.options.signal?.aborted).toBe(true);
        expect(clock.sleeping).toBe(0);
    });
});
