import { systemClock } from "../../../provider/api/clock";
import { fateOf, settled } from "../../support/virtualClock";

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;

describe("the system's clock", () => {
    it("tells the time since the epoch in milliseconds", () => {
        const before = Date.now();
        expect(systemClock.now()).toBeGreaterThanOrEqual(before);
        expect(systemClock.now() - before).toBeLessThan(1_000);
    });

    it("does not go back when somebody sets the computer's clock", () => {
        const before = systemClock.now();
        jest.spyOn(Date, "now").mockReturnValue(0);
        expect(systemClock.now()).toBeGreaterThanOrEqual(before);
        jest.restoreAllMocks();
    });

    it("sleeps for longer than one timer can", async () => {
        const abort = new AbortController();
        const asleep = fateOf(systemClock.sleep(600 * 3_600_000, abort.signal));
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(asleep.state).toBe("pending");
        abort.abort(new Error("enough"));
        await settled();
        expect(asleep.state).toBe("rejected");
    });

    it("sleeps", async () => {
        await expect(systemClock.sleep(1)).resolves.toBeUndefined();
    });

    it("wakes with the signal's reason when it is aborted, and leaves no timer", async () => {
        const before = timers();
        const abort = new AbortController();
        const asleep = systemClock.sleep(600_000, abort.signal);
        expect(timers()).toBe(before + 1);
        const reason = new Error("enough");
        abort.abort(reason);
        await expect(asleep).rejects.toBe(reason);
        expect(timers()).toBe(before);
    });

    it("does not begin to sleep when the signal is aborted already", async () => {
        const before = timers();
        const reason = new Error("enough");
        await expect(systemClock.sleep(600_000, AbortSignal.abort(reason))).rejects.toBe(reason);
        expect(timers()).toBe(before);
    });
});
