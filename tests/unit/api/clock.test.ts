import { systemClock, untilDeadline } from "../../../provider/api/clock";
import { fateOf, settled, TestClock } from "../../support/virtualClock";

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;

it("the system clock returns milliseconds since the epoch", () => {
    const before = Date.now();
    expect(systemClock.now()).toBeGreaterThanOrEqual(before);
    expect(systemClock.now() - before).toBeLessThan(1_000);
});

it("the system clock does not go back when the time of the computer is changed", () => {
    const before = systemClock.now();
    jest.spyOn(Date, "now").mockReturnValue(0);
    expect(systemClock.now()).toBeGreaterThanOrEqual(before);
    jest.restoreAllMocks();
});

it("a sleep resolves, and one that is longer than the maximum of a timer does not end at once", async () => {
    const abort = new AbortController();
    const asleep = fateOf(systemClock.sleep(600 * 3_600_000, abort.signal));
    // Node gives a delay that is too long the shortest one.
    await systemClock.sleep(1);
    await settled();
    expect(asleep.state).toBe("pending");
    abort.abort(new Error("enough"));
    await settled();
    expect(asleep.state).toBe("rejected");
});

it("an abort ends the sleep with the reason of the signal, and leaves no timer", async () => {
    const before = timers();
    const abort = new AbortController();
    const asleep = systemClock.sleep(600_000, abort.signal);
    expect(timers()).toBe(before + 1);
    const reason = new Error("enough");
    abort.abort(reason);
    await expect(asleep).rejects.toBe(reason);
    expect(timers()).toBe(before);
});

it("a sleep with an aborted signal does not start", async () => {
    const before = timers();
    const reason = new Error("enough");
    await expect(systemClock.sleep(600_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(timers()).toBe(before);
});

it.each([
    { cancelledMs: 1_000, graceMs: 0, endsMs: 1_000, reason: "ends at once when it is cancelled" },
    { cancelledMs: 1_000, graceMs: 500, endsMs: 1_500, reason: "has its grace after a cancellation" },
    { cancelledMs: 2_900, graceMs: 8_000, endsMs: 3_000, reason: "ends at the deadline, whatever its grace" },
])("work until a deadline after 3 s $reason", async ({ cancelledMs, graceMs, endsMs }) => {
    const clock = new TestClock();
    const [abort, cancelled] = [new AbortController(), new Error("cancelled")];
    const limit = { deadlineAt: 3_000, signal: abort.signal };
    const never = () => new Promise<never>(() => undefined);
    const work = fateOf(untilDeadline(limit, clock, () => new Error("timed out"), never, graceMs));
    await clock.advance(cancelledMs);
    abort.abort(cancelled);
    await clock.advance(endsMs - cancelledMs - 1);
    expect(work.state).toBe(endsMs === cancelledMs ? "rejected" : "pending");
    await clock.advance(1);
    expect(work).toEqual({ state: "rejected", error: cancelled });
    expect(clock.sleeping).toBe(0);
});
