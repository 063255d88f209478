import type { CallOptions } from "../../../provider/api/client";
import { ApiError, DeadlineError, InvalidResponseError } from "../../../provider/api/errors";
import { Limiter } from "../../../provider/api/limiter";
import { withRetries, type Retry } from "../../../provider/api/retry";
import type { Source } from "../../../provider/wait/listing";
import { Poller } from "../../../provider/wait/poller";
import { readListing, type ReadOptions } from "../../../provider/wait/read";
import { leastGapMs, sharedGapMs } from "../../../provider/wait/schedule";
import { waitFor } from "../../../provider/wait/wait";
import type { Item } from "../../support/collection";
import { someCall } from "../../support/client";
import { fateOf, TestClock } from "../../support/virtualClock";
import { judge } from "../../support/waiting";

/** A list call that lasts until a test ends it. */
interface Open {
    readonly at: number;
    readonly options: CallOptions;
    readonly succeed: (...statuses: string[]) => void;
    readonly fail: (error: Error) => void;
}

const apiError = (status: number, retryAfterMs?: number) =>
    new ApiError(someCall, status, undefined, undefined, retryAfterMs);

const statusesOf = ({ items }: { items: readonly Item[] }) => items.map(({ status }) => status).join();

function reads() {
    const clock = new TestClock();
    const random = () => 1;
    const context = { clock, random, poller: new Poller(clock, random) };
    const open: Open[] = [];
    const sourceOf = (key: string): Source<Item> => ({
        key,
        idOf: ({ id }) => id,
        list: (options) =>
            new Promise((resolve, reject) => {
                options.signal?.addEventListener("abort", () => reject(options.signal?.reason as Error));
                const succeed = (...statuses: string[]) =>
                    resolve(statuses.map((status, index) => ({ id: String(index), status })));
                open.push({ at: clock.now(), options, succeed, fail: reject });
            }),
    });
    /** Reads the statuses, with this much time. */
    const ask = (key = "a", timeMs = 60_000, options: Omit<ReadOptions, "deadlineAt"> = {}) =>
        readListing(sourceOf(key), statusesOf, { ...options, deadlineAt: clock.now() + timeMs }, context);
    /** Ends the last call, and lets what follows happen. */
    const fail = async (error: Error = apiError(503)) => {
        open.at(-1)?.fail(error);
        await clock.advance(0);
    };
    const succeed = async (status: string) => {
        open.at(-1)?.succeed(status);
        await clock.advance(0);
    };
    return { clock, context, open, sourceOf, ask, fail, succeed };
}

describe("reads of one list", () => {
    it("all reads that begin at once share a call, and those during a call share the next one", async () => {
        const { clock, open, ask, succeed } = reads();
        const first = [fateOf(ask()), fateOf(ask())];
        await clock.advance(0);
        const others = Array.from({ length: 100 }, () => fateOf(ask()));
        await clock.advance(10 * sharedGapMs);
        expect(open).toHaveLength(1);
        await succeed("old");
        expect(first.map(({ value }) => value)).toEqual(["old", "old"]);
        expect(others.every(({ state }) => state === "pending")).toBe(true);
        expect(open).toHaveLength(2);
        await succeed("new");
        expect(new Set(others.map(({ value }) => value))).toEqual(new Set(["new"]));
        await clock.advance(60_000);
        expect(open).toHaveLength(2);
    });

    it("the first call starts at once, and the next one after a minimum interval", async () => {
        const { clock, open, ask } = reads();
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

    it("a call is not shared between lists, or with reads after its end", async () => {
        const { clock, open, ask } = reads();
        const [a, b] = [ask("a"), ask("b")];
        await clock.advance(0);
        expect(open).toHaveLength(2);
        open.forEach(({ succeed }, index) => {
            succeed(String(index));
        });
        expect(await Promise.all([a, b])).toEqual(["0", "1"]);
        await clock.advance(sharedGapMs);
        void ask("a");
        await clock.advance(0);
        expect(open).toHaveLength(3);
    });

    it("a rejected call fails for its reads, and not for later ones", async () => {
        const { clock, open, ask, fail, succeed } = reads();
        const first = fateOf(ask());
        await clock.advance(0);
        const second = fateOf(ask());
        await fail(new Error("no"));
        expect((first.error as Error).message).toBe("no");
        await clock.advance(sharedGapMs);
        expect(open).toHaveLength(2);
        await succeed("yes");
        expect(second.value).toBe("yes");
    });
});

describe("a read that fails", () => {
    it("a failed call is repeated for the read with the most time, and the others fail at their deadlines", async () => {
        const { clock, open, ask, fail, succeed } = reads();
        const hurried = fateOf(ask("a", 5_000));
        const patient = fateOf(ask("a", 60_000));
        const expired = fateOf(ask("a", 0));
        await clock.advance(0);
        expect(expired.error).toBeInstanceOf(DeadlineError);
        await fail(apiError(503, 4_000));
        await clock.advance(3_999);
        expect([hurried, patient].map(({ state }) => state)).toEqual(["pending", "pending"]);
        await clock.advance(1);
        expect(open.map(({ at }) => at)).toEqual([0, 4_000]);
        await fail(apiError(503, 4_000));
        expect(hurried.error).toBeInstanceOf(DeadlineError);
        expect((hurried.error as Error).message).toContain("failed with 503");
        expect(patient.state).toBe("pending");
        await clock.advance(4_000);
        await succeed("new");
        expect(patient.value).toBe("new");
        expect(clock.sleeping).toBe(0);
    });

    it("reads repeat a failed call together after growing pauses, and each one is notified", async () => {
        const { clock, open, ask, fail, succeed } = reads();
        const notices: string[] = [];
        const asking = (name: string, timeMs: number) =>
            fateOf(
                ask("a", timeMs, {
                    onRetry: ({ failingMs, pauseMs }) => notices.push(`${name} ${failingMs} ${pauseMs}`),
                }),
            );
        const first = asking("first", 1_000);
        const second = asking("second", 60_000);
        await clock.advance(0);
        await fail();
        await clock.advance(250);
        await fail();
        await clock.advance(500);
        await fail();
        expect(notices).toEqual(["first 0 250", "second 0 250", "first 250 500", "second 250 500", "second 750 1000"]);
        expect(first.error).toBeInstanceOf(DeadlineError);
        await clock.advance(1_000);
        expect(open.map(({ at }) => at)).toEqual([0, 250, 750, 1_750]);
        await succeed("at last");
        expect(second.value).toBe("at last");
        await clock.advance(10 * sharedGapMs);
        expect(open).toHaveLength(4);
        expect(clock.sleeping).toBe(0);
    });

    it("a read that joins during a long pause is notified, and fails at once if it has less time", async () => {
        const { clock, open, ask, fail, succeed } = reads();
        const notices: Retry[] = [];
        const first = fateOf(ask("a", 3_600_000));
        await clock.advance(0);
        const failure = apiError(503, 1_800_000);
        await fail(failure);
        await clock.advance(1_000);
        const hurried = fateOf(ask("a", 300_000));
        const patient = fateOf(ask("a", 3_600_000, { onRetry: (notice) => notices.push(notice) }));
        await clock.advance(0);
        expect([hurried, patient].map(({ state }) => state)).toEqual(["rejected", "pending"]);
        expect(notices).toEqual([{ failure, failingMs: 0, pauseMs: 1_799_000 }]);
        await clock.advance(1_798_999);
        expect(open).toHaveLength(1);
        await clock.advance(1);
        expect(open).toHaveLength(2);
        await succeed("new");
        expect([first, patient].map(({ value }) => value)).toEqual(["new", "new"]);
        expect(clock.sleeping).toBe(0);
    });

    it("a read does not share the pause of reads that have ended", async () => {
        const { clock, open, ask, fail } = reads();
        void fateOf(ask("a", 5_000));
        await clock.advance(0);
        await fail(apiError(503, 60_000));
        await clock.advance(sharedGapMs);
        void ask("a");
        await clock.advance(0);
        expect(open.map(({ at }) => at)).toEqual([0, sharedGapMs]);
    });

    it("a read that cannot use the list reads it again, and does not delay others", async () => {
        const { clock, context, open, sourceOf, ask, succeed } = reads();
        const incomplete = new InvalidResponseError(someCall, 200, "incomplete", "contract");
        const strict = fateOf(
            readListing(
                sourceOf("a"),
                (listing) => {
                    if (statusesOf(listing) !== "complete") {
                        throw incomplete;
                    }
                    return "used";
                },
                { deadlineAt: 60_000 },
                context,
            ),
        );
        await clock.advance(0);
        await succeed("new");
        expect(strict.state).toBe("pending");
        await clock.advance(100);
        const other = fateOf(ask());
        await clock.advance(0);
        await succeed("complete");
        expect([other.value, strict.value]).toEqual(["complete", "used"]);
        expect(open.map(({ at }) => at)).toEqual([0, 100]);
    });

    it("a read fails with the error of an entry that stays malformed", async () => {
        const { clock, context, open, sourceOf } = reads();
        const incomplete = new InvalidResponseError(someCall, 200, "incomplete", "contract");
        const fail = () => {
            throw incomplete;
        };
        const strict = fateOf(readListing(sourceOf("a"), fail, { deadlineAt: 60_000 }, context));
        while (strict.state === "pending") {
            await clock.advance(100);
            open.at(-1)?.succeed("new");
        }
        expect(strict.error).toBe(incomplete);
        expect(clock.now()).toBeGreaterThan(15_000);
        expect(clock.now()).toBeLessThan(25_000);
    });

    it.each([503, 429])("a read with a %d ends when it has no time left", async (status) => {
        const { clock, context } = reads();
        const limiter = new Limiter(clock);
        let tries = 0;
        const list = ({ deadlineAt = 0, ...options }: CallOptions): Promise<never> =>
            withRetries<never>(
                { operation: "listVpcs", method: "GET", clock, limiter, random: () => 1, deadlineAt, ...options },
                () => {
                    tries += 1;
                    return Promise.reject(apiError(status));
                },
            ) as Promise<never>;
        const source: Source<Item> = { key: "a", idOf: ({ id }) => id, list };
        const fate = fateOf(readListing(source, statusesOf, { deadlineAt: 1_000 }, context));
        while (fate.state === "pending") {
            await clock.advance(100);
        }
        const before = tries;
        expect(before).toBeGreaterThan(1);
        await clock.advance(120_000);
        expect(tries).toBe(before);
        expect(clock.sleeping).toBe(0);
    });
});

describe("a read without an answer", () => {
    it("each read fails at its own deadline, and the call is aborted when the last one has left", async () => {
        const { clock, open, ask, succeed } = reads();
        void ask("things");
        await clock.advance(0);
        const hurried = fateOf(ask("things", 5_000));
        const patient = fateOf(ask("things", 60_000));
        const next = fateOf(ask("things", 7_000));
        await succeed("old");
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

    it("a read that joins during a call without an answer fails at its own deadline", async () => {
        const { clock, open, ask } = reads();
        void ask("things", 60_000);
        await clock.advance(1_000);
        const joined = fateOf(ask("things", 5_000));
        await clock.advance(5_000);
        expect(joined.error).toBeInstanceOf(DeadlineError);
        expect(open).toHaveLength(1);
    });

    it("a call that nobody waits for is aborted, and the next one serves the reads that joined", async () => {
        const { clock, open, ask, succeed } = reads();
        void fateOf(ask("things", 5_000));
        await clock.advance(1_000);
        const joined = fateOf(ask("things", 60_000));
        await clock.advance(4_000);
        expect(open[0]?.options.signal?.aborted).toBe(true);
        expect(open).toHaveLength(2);
        await succeed("new");
        expect(joined.value).toBe("new");
    });

    it("a slow call tells each of its reads what it waits for", async () => {
        const { clock, open, ask } = reads();
        const told: string[] = [];
        for (const name of ["a", "b"]) {
            void ask("things", 60_000, { onSlow: (waitsFor) => told.push(`${name} waits for ${waitsFor}`) });
            await clock.advance(0);
        }
        open[0]?.options.onSlow?.("the response to listThings");
        expect(told).toEqual(["a waits for the response to listThings"]);
    });

    it("an abort of the last read ends the call", async () => {
        const { clock, open, ask } = reads();
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

    it.each(["aborted", "expired"])("a read that is %s when it begins sends no request", async (state) => {
        const { clock, open, ask } = reads();
        const fate = fateOf(
            state === "aborted" ? ask("a", 1_000, { signal: AbortSignal.abort(new Error("cancelled")) }) : ask("a", 0),
        );
        await clock.advance(10_000);
        expect(fate.state).toBe("rejected");
        expect(open).toEqual([]);
        expect(clock.sleeping).toBe(0);
    });
});

describe("reads and waits on one list", () => {
    const begin = ({ clock, context, sourceOf }: ReturnType<typeof reads>, until: "ready" | "gone" = "ready") =>
        fateOf(
            waitFor(
                {
                    subject: "Thing",
                    source: sourceOf("a"),
                    id: "0",
                    until,
                    evaluate: judge,
                    deadlineAt: clock.now() + 60_000,
                    setting: "none",
                },
                context,
            ),
        );

    it("a read also serves the waits, before they are due", async () => {
        const started = reads();
        const { open, clock, ask, succeed } = started;
        const wait = begin(started);
        const read = fateOf(ask());
        await clock.advance(0);
        await succeed("READY");
        expect(read.value).toBe("READY");
        expect(wait.value).toEqual({ id: "0", status: "READY" });
        expect(open.map(({ at }) => at)).toEqual([0]);
        expect(clock.sleeping).toBe(0);
    });

    it("a read that begins during a poll gets the next response, not this one", async () => {
        const started = reads();
        const { open, clock, ask, succeed } = started;
        const wait = begin(started);
        await clock.advance(1_000);
        const read = fateOf(ask());
        await clock.advance(0);
        expect(open).toHaveLength(1);
        await succeed("OLD");
        expect([read.state, wait.state]).toEqual(["pending", "pending"]);
        expect(open).toHaveLength(2);
        await succeed("READY");
        expect(read.value).toBe("READY");
    });

    it("reads in quick succession do not prove to a wait that an item is gone", async () => {
        const started = reads();
        const { open, clock, ask } = started;
        const wait = begin(started, "gone");
        for (let time = 0; time < 4; time++) {
            const read = fateOf(ask());
            await clock.advance(sharedGapMs);
            open.at(-1)?.succeed();
            await clock.advance(0);
            expect(read.state).toBe("resolved");
        }
        expect([open.length, wait.state]).toEqual([4, "pending"]);
        await clock.advance(leastGapMs);
        open.at(-1)?.succeed();
        await clock.advance(0);
        expect(wait.state).toBe("resolved");
    });

    it("a wait polls by its schedule during the pause of a read", async () => {
        const started = reads();
        const { open, clock, ask, fail, succeed } = started;
        const read = fateOf(ask("a", 3_600_000));
        await clock.advance(0);
        await fail(apiError(503, 1_800_000));
        const wait = begin(started);
        await clock.advance(1_000);
        expect(open).toHaveLength(2);
        await succeed("READY");
        expect([read.value, wait.value?.status]).toEqual(["READY", "READY"]);
        expect(clock.sleeping).toBe(0);
    });
});
