import { performance } from "node:perf_hooks";
import { setTimeout as sleepFor } from "node:timers/promises";

/** The source of time, which tests replace. */
export interface Clock {
    /** Milliseconds since the epoch, from a monotonic clock that stops while the computer sleeps. */
    now(): number;
    /** Resolves after the given time. Rejects with the signal's reason when the signal is aborted. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
    /**
     * Calls back after the given time, which may be infinite, unless the returned function is called first. Limits work
     * that continues in the meantime.
     */
    after(ms: number, callback: () => void): () => void;
}

/** Node fires a timer with a longer delay immediately. */
const maxTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
    // The system clock may be changed during a wait.
    now: () => performance.timeOrigin + performance.now(),
    async sleep(ms, signal) {
        signal?.throwIfAborted();
        try {
            for (let left = ms; left > 0; left -= maxTimerMs) {
                await sleepFor(Math.min(left, maxTimerMs), undefined, signal ? { signal } : {});
            }
        } catch (error) {
            signal?.throwIfAborted();
            throw error;
        }
    },
    after(ms, callback) {
        let timer: NodeJS.Timeout | undefined;
        const start = (left: number) => {
            const next = Math.min(left, maxTimerMs);
            timer = setTimeout(() => (left > next ? start(left - next) : callback()), Math.max(next, 0));
        };
        start(ms);
        return () => clearTimeout(timer);
    },
};
