import { InvalidResponseError, ConnectionError, ApiError } from "../../../provider/api/errors";
import { WaitFailedError } from "../../../provider/wait/errors";
import { someCall } from "../../support/client";
import { settled } from "../../support/virtualClock";
import { startWaiting } from "../../support/waiting";

test("repeated responses that do not match the contract end the wait soon, and a single one does not", async () => {
    const { clock, things, begin } = startWaiting();
    things.put("a", "NEW");
    const { fate } = begin("a");
    const broken = new InvalidResponseError(someCall, 200, "no region_code", "contract");
    things.failure = broken;
    await clock.advance(10_000);
    things.failure = undefined;
    await clock.advance(2_000);
    things.failure = broken;
    await clock.advance(18_000);
    expect(fate.state).toBe("pending");
    await clock.advance(5_000);
    expect(fate.error).toBe(broken);
});

describe("a wait until a resource is ready", () => {
    it("the wait ends with the item when a poll finds it ready", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const { fate, seen } = begin("a");
        await clock.advance(5_000);
        expect(fate.state).toBe("pending");
        things.put("a", "READY");
        await clock.advance(1_000);
        expect(fate).toEqual({ state: "resolved", value: { id: "a", status: "READY" } });
        expect(seen.at(-1)).toBe("READY");
        expect(new Set(seen)).toEqual(new Set(["NEW", "READY"]));
        expect(clock.sleeping).toBe(0);
    });

    it("the wait polls at least once, even if the item was ready before", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "READY");
        const { fate } = begin("a");
        await settled();
        expect(fate.state).toBe("pending");
        await clock.advance(300);
        expect(fate.state).toBe("resolved");
        expect(things.polls).toHaveLength(1);
    });

    it("the wait fails with a reason if the item will not become ready", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "BROKEN");
        const { fate, seen } = begin("a");
        await clock.advance(1_000);
        expect(fate.error).toBeInstanceOf(WaitFailedError);
        expect(fate.error).toMatchObject({ subject: 'Thing "a"', lastStatus: "BROKEN", reason: "it broke" });
        expect((fate.error as Error).message).toBe('Thing "a" failed (BROKEN): it broke');
        expect(seen).toEqual(["BROKEN"]);
        expect(clock.sleeping).toBe(0);
    });

    it("the wait continues for an unknown status, and reports it", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "TELEPORTING");
        const { fate, progress } = begin("a");
        await clock.advance(1_000);
        expect(progress.map(({ status }) => status)).toEqual(["TELEPORTING"]);
        things.put("a", "READY");
        await clock.advance(1_000);
        expect(fate.state).toBe("resolved");
    });

    it("the wait fails if its readiness function throws an error, and other waits continue", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        things.put("b", "NEW");
        const mistake = new TypeError("cannot read this");
        const throwing = begin("a", {
            evaluate: () => {
                throw mistake;
            },
        });
        const other = begin("b");
        await clock.advance(1_000);
        expect(throwing.fate).toEqual({ state: "rejected", error: mistake });
        things.put("b", "READY");
        await clock.advance(1_000);
        expect(other.fate.state).toBe("resolved");
    });
});

describe("the progress after each poll that does not end the wait", () => {
    it("the progress of a wait contains the status, the detail, the elapsed time and the deadline", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const deadlineAt = clock.now() + 60_000;
        const { progress } = begin("a", { deadlineAt });
        await clock.advance(300);
        things.put("a", "SLOW");
        await clock.advance(900);
        expect(progress).toEqual([
            { status: "NEW", detail: undefined, elapsedMs: 300, deadlineAt },
            { status: "SLOW", detail: "two of three steps done", elapsedMs: 1_150, deadlineAt },
        ]);
    });

    it("the progress after a failed poll contains the last known status and the failure", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const { progress } = begin("a");
        await clock.advance(300);
        things.failure = new ConnectionError(someCall, "ECONNRESET", "unknown");
        await clock.advance(900);
        expect(progress[1]).toMatchObject({ status: "NEW", detail: "getService got no response" });
    });

    it("the poll that ends the wait reports no progress", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "READY");
        const { progress } = begin("a");
        await clock.advance(5_000);
        expect(progress).toEqual([]);
    });
});

describe("a failed poll", () => {
    const apiError = (status: number) => new ApiError(someCall, status, undefined, undefined, undefined);

    it.each([
        { failure: apiError(500), reason: "the API has an error" },
        { failure: apiError(502), reason: "a proxy has an error" },
        { failure: apiError(503), reason: "it restarts" },
        { failure: apiError(429), reason: "there are too many requests" },
        { failure: new ConnectionError(someCall, "ECONNREFUSED", "no"), reason: "no process listens" },
        { failure: new ConnectionError(someCall, "ECONNRESET", "unknown"), reason: "the connection broke" },
        {
            failure: new InvalidResponseError(someCall, 200, "HTML instead of JSON"),
            reason: "a proxy responds instead",
        },
        { failure: new InvalidResponseError(someCall, 302, "a redirect"), reason: "a proxy asks for a login" },
        { failure: new InvalidResponseError(someCall, 403, "HTML instead of JSON"), reason: "a proxy denies it" },
        { failure: apiError(408), reason: "the API took too long" },
        { failure: apiError(524), reason: "a proxy waited too long" },
    ] as { failure: Error; reason: string }[])(
        "a transient failure does not end the wait: $reason",
        async ({ failure }) => {
            const { clock, things, begin } = startWaiting();
            things.put("a", "READY");
            things.failure = failure;
            const { fate } = begin("a");
            await clock.advance(60_000);
            expect(fate.state).toBe("pending");
            things.failure = undefined;
            await clock.advance(2_000);
            expect(fate.state).toBe("resolved");
        },
    );

    it.each([401, 403])("a single %d does not end the wait, and a repeated one does", async (status) => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const { fate } = begin("a");
        for (let repeat = 0; repeat < 3; repeat++) {
            things.failure = apiError(status);
            const polls = things.polls.length;
            while (things.polls.length === polls) {
                await clock.advance(100);
            }
            things.failure = undefined;
            await clock.advance(10_000);
        }
        expect(fate.state).toBe("pending");
        things.failure = apiError(status);
        await clock.advance(10_000);
        expect(fate.error).toBe(things.failure);
        expect(clock.sleeping).toBe(0);
    });

    it("the wait ends after 20 s if the address has never returned a valid response", async () => {
        const { clock, things, begin } = startWaiting();
        things.failure = new InvalidResponseError(someCall, 404, "HTML instead of JSON", "address");
        const { fate } = begin("a");
        await clock.advance(19_000);
        expect(fate.state).toBe("pending");
        await clock.advance(5_000);
        expect(fate.error).toBe(things.failure);
    });

    it.each([
        { failure: apiError(404), reason: "a source reports a 404 as a missing item" },
        { failure: apiError(400), reason: "the request is wrong" },
        { failure: new Error("a bug"), reason: "the error is unknown" },
    ])("a failure that is not transient ends the wait at once: $reason", async ({ failure }) => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        things.failure = failure;
        const { fate } = begin("a");
        await clock.advance(300);
        expect(fate).toEqual({ state: "rejected", error: failure });
        expect(things.polls).toHaveLength(1);
        expect(clock.sleeping).toBe(0);
    });
});
