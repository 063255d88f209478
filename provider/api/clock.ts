import { setTimeout as sleepFor } from "node:timers/promises";

/** Time as everything in the provider sees it, so that tests can bring their own. */
export interface Clock {
    /** Milliseconds since the epoch. */
    now(): number;
    /** Resolves after the given time, or rejects with the signal's reason as soon as it is aborted. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
    now: () => Date.now(),
    async sleep(ms, signal) {
        signal?.throwIfAborted();
        try {
            await sleepFor(ms, undefined, signal ? { signal } : {});
        } catch (error) {
            signal?.throwIfAborted();
            throw error;
        }
    },
};
