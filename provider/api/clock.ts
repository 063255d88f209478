import { performance } from "node:perf_hooks";
import { setTimeout as sleepFor } from "node:timers/promises";

/** Time as everything in the provider sees it, so that tests can bring their own. */
export interface Clock {
    /** Milliseconds since the epoch, of a clock that never goes back and stands still while the computer sleeps. */
    now(): number;
    /** Resolves after the given time, or rejects with the signal's reason as soon as it is aborted. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A timer of Node that is set to more goes off at once; it is more than three weeks. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
    // Somebody may set the computer's clock while a run waits.
    now: () => performance.timeOrigin + performance.now(),
    async sleep(ms, signal) {
        signal?.throwIfAborted();
        try {
            for (let left = ms; left > 0; left -= longestTimerMs) {
                await sleepFor(Math.min(left, longestTimerMs), undefined, signal ? { signal } : {});
            }
        } catch (error) {
            signal?.throwIfAborted();
            throw error;
        }
    },
};
