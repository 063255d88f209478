import { ApiError } from "../../../provider/api/errors";
import { WaitTimeoutError } from "../../../provider/wait/errors";
import { someCall } from "../../support/client";
import { settled } from "../../support/virtualClock";
import { pollTimesSince, startWaiting } from "../../support/waiting";

describe("a timeout", () => {
    it("a timeout error reports the duration, the status and the setting for the time limit", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const { fate } = begin("a", { deadlineAt: clock.now() + 120_000 });
        await clock.advance(60_000);
        things.put("a", "CONFIGURING");
        await clock.advance(60_000);
        expect(fate.error).toBeInstanceOf(WaitTimeoutError);
        expect(fate.error).toMatchObject({ subject: 'Thing "a"', lastStatus: "CONFIGURING", waitedMs: 120_000 });
        const { message, inStatusMs } = fate.error as WaitTimeoutError;
        expect(inStatusMs).toBeGreaterThan(58_000);
        expect(inStatusMs).toBeLessThanOrEqual(60_000);
        expect(message).toMatch(
            /^Thing "a" timed out after 2 min: CONFIGURING for (59 s|1 min)\. Nothing was rolled back\./,
        );
        expect(message).toContain("pulumi up");
        expect(message).toContain("customTimeouts.create");
        expect(clock.sleeping).toBe(0);
    });

    it("a timeout error reports an unknown status", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "TELEPORTING");
        const { fate } = begin("a", { deadlineAt: clock.now() + 10_000 });
        await clock.advance(10_000);
        expect((fate.error as Error).message).toContain("TELEPORTING for 9.7 s");
    });

    it("a timeout error reports the detail of the last poll", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "SLOW");
        const { fate } = begin("a", { deadlineAt: clock.now() + 10_000 });
        await clock.advance(10_000);
        expect((fate.error as Error).message).toContain("SLOW for 9.7 s (last poll: two of three steps done)");
    });

    it("a timeout error reports why polls failed if none succeeded", async () => {
        const { clock, things, begin } = startWaiting();
        things.failure = new ApiError(someCall, 503, undefined, "down for repair", undefined);
        const { fate } = begin("a", { deadlineAt: clock.now() + 10_000 });
        await clock.advance(10_000);
        expect(fate.error).toBeInstanceOf(WaitTimeoutError);
        expect((fate.error as Error).message).toContain("down for repair");
    });

    it("a wait polls once at its deadline, and can still succeed", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const beganAt = clock.now();
        const { fate } = begin("a", { deadlineAt: beganAt + 5_000 });
        await clock.advance(4_999);
        things.put("a", "READY");
        await clock.advance(1);
        expect(pollTimesSince(beganAt, things).at(-1)).toBe(5_000);
        expect(fate.state).toBe("resolved");
    });

    it("a wait whose deadline is in the past polls once", async () => {
        const { clock, things, begin } = startWaiting();
        ["a", "b"].forEach((id) => things.put(id, "NEW"));
        things.put("a", "READY");
        const [a, b] = ["a", "b"].map((id) => begin(id, { deadlineAt: clock.now() - 1_000 }));
        await clock.advance(0);
        expect(things.polls).toHaveLength(1);
        expect(a?.fate.state).toBe("resolved");
        expect(b?.fate.error).toBeInstanceOf(WaitTimeoutError);
    });

    it("a timeout of one wait does not end the others", async () => {
        const { clock, things, begin } = startWaiting();
        ["a", "b"].forEach((id) => things.put(id, "NEW"));
        const hasty = begin("a", { deadlineAt: clock.now() + 10_000 });
        const patient = begin("b");
        await clock.advance(10_500);
        expect(hasty.fate.error).toBeInstanceOf(WaitTimeoutError);
        expect(patient.fate.state).toBe("pending");
        const polls = things.polls.length;
        things.put("b", "READY");
        await clock.advance(1_000);
        expect(patient.fate.state).toBe("resolved");
        expect(things.polls.slice(polls).map(({ of }) => of)).toEqual(["b"]);
    });
});

describe("a poll without an answer", () => {
    it("a wait ends a second after its deadline, reports that the API does not respond, and aborts the poll", async () => {
        const { clock, things, begin } = startWaiting();
        things.latencyMs = 3_600_000;
        const { fate } = begin("a", { deadlineAt: clock.now() + 5_000 });
        await clock.advance(5_999);
        expect(fate.state).toBe("pending");
        await clock.advance(1);
        expect((fate.error as Error).message).toBe(
            'Thing "a" timed out after 6 s: not visible yet for 6 s (last poll: the API has not responded). ' +
                "Nothing was rolled back. Run `pulumi up` again to resume the wait, or increase customTimeouts.create.",
        );
        expect(clock.sleeping).toBe(0);
    });

    it("each wait ends at its own deadline, and the poll continues for the others", async () => {
        const { clock, things, begin } = startWaiting();
        ["a", "b"].forEach((id) => things.put(id, "READY"));
        things.latencyMs = 30_000;
        const [hurried, patient] = [5_000, 60_000].map((timeMs, index) =>
            begin(["a", "b"][index] ?? "", { deadlineAt: clock.now() + timeMs }),
        );
        await clock.advance(6_000);
        expect(hurried?.fate.error).toBeInstanceOf(WaitTimeoutError);
        expect(patient?.fate.state).toBe("pending");
        await clock.advance(54_000);
        expect(patient?.fate.state).toBe("resolved");
        expect(clock.sleeping).toBe(0);
    });

    it("a wait whose deadline passed long ago ends at once", async () => {
        const { clock, things, begin } = startWaiting();
        things.latencyMs = 10_000;
        const { fate } = begin("a", { deadlineAt: clock.now() - 3_000 });
        await clock.advance(0);
        expect(fate.error).toBeInstanceOf(WaitTimeoutError);
    });
});

describe("an abort", () => {
    const reason = new Error("cancelled");

    it("an abort ends the wait at once with the reason of the signal, and leaves no timer or listener", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "NEW");
        const abort = new AbortController();
        const removed = jest.spyOn(abort.signal, "removeEventListener");
        const { fate } = begin("a", { signal: abort.signal });
        await clock.advance(1_000);
        expect(clock.sleeping).toBe(2);
        abort.abort(reason);
        await settled();
        expect(fate).toEqual({ state: "rejected", error: reason });
        expect(clock.sleeping).toBe(0);
        expect(removed).toHaveBeenCalled();
        const polls = things.polls.length;
        await clock.advance(60_000);
        expect(things.polls).toHaveLength(polls);
    });

    it("an abort ends the wait and its poll in progress", async () => {
        const { clock, things, begin } = startWaiting();
        things.latencyMs = 10_000;
        const abort = new AbortController();
        const { fate } = begin("a", { signal: abort.signal });
        await clock.advance(1_000);
        expect(things.polls).toHaveLength(1);
        abort.abort(reason);
        await settled();
        expect(fate.error).toBe(reason);
        expect(clock.sleeping).toBe(0);
    });

    it("a wait whose signal is already aborted does not poll", async () => {
        const { clock, things, begin } = startWaiting();
        const { fate } = begin("a", { signal: AbortSignal.abort(reason) });
        await clock.advance(5_000);
        expect(fate.error).toBe(reason);
        expect(things.polls).toEqual([]);
        expect(clock.sleeping).toBe(0);
    });

    it("an abort of one wait does not end the others", async () => {
        const { clock, things, begin } = startWaiting();
        ["a", "b"].forEach((id) => things.put(id, "NEW"));
        const abort = new AbortController();
        const [a, b] = [begin("a", { signal: abort.signal }), begin("b")];
        await clock.advance(1_000);
        abort.abort(reason);
        things.put("b", "READY");
        await clock.advance(1_000);
        expect(a.fate.error).toBe(reason);
        expect(b.fate.state).toBe("resolved");
    });

    it("an abort after the end of the wait has no effect", async () => {
        const { clock, things, begin } = startWaiting();
        things.put("a", "READY");
        const abort = new AbortController();
        const [added, removed] = [
            jest.spyOn(abort.signal, "addEventListener"),
            jest.spyOn(abort.signal, "removeEventListener"),
        ];
        const { fate } = begin("a", { signal: abort.signal });
        await clock.advance(1_000);
        abort.abort(reason);
        await settled();
        expect(fate.state).toBe("resolved");
        expect(removed.mock.calls.map(([, listener]) => listener)).toContain(added.mock.calls[0]?.[1]);
    });
});
