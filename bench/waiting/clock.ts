import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../provider/api/clock";

interface Sleeper {
    readonly dueAt: number;
    readonly wake: () => void;
}

/** A virtual clock. When all work sleeps, it advances to the next wake-up time. */
export class BenchClock implements Clock {
    /** Sorted: the last is the next to wake. */
    private readonly sleepers: Sleeper[] = [];
    private at = Date.UTC(2030, 0, 1);

    now(): number {
        return this.at;
    }

    sleep(ms: number, signal?: AbortSignal): Promise<void> {
        return new Promise((resolve, reject) => {
            const onAbort = () => {
                this.sleepers.splice(this.sleepers.indexOf(sleeper), 1);
                reject(signal?.reason as Error);
            };
            const sleeper: Sleeper = {
                dueAt: this.at + Math.max(ms, 0),
                wake: () => {
                    signal?.removeEventListener("abort", onAbort);
                    resolve();
                },
            };
            // Sleepers that are due at the same time wake in the order of their calls.
            const next = this.sleepers.findIndex(({ dueAt }) => dueAt <= sleeper.dueAt);
            this.sleepers.splice(next < 0 ? this.sleepers.length : next, 0, sleeper);
            if (signal?.aborted) {
                onAbort();
            }
            signal?.addEventListener("abort", onAbort, { once: true });
        });
    }

    after(ms: number, callback: () => void): () => void {
        const cancelled = new AbortController();
        if (Number.isFinite(ms)) {
            this.sleep(ms, cancelled.signal).then(callback, () => undefined);
        }
        return () => cancelled.abort();
    }

    /** Advances the time until the work is done. */
    async run<T>(work: Promise<T>): Promise<T> {
        const state = { done: false };
        const finish = () => {
            state.done = true;
        };
        work.then(finish, finish);
        for (;;) {
            await nextTurn();
            if (state.done) {
                return work;
            }
            const next = this.sleepers.pop();
            if (next === undefined) {
                throw new Error("The work is not done, and nothing sleeps on this clock. It waits for something else.");
            }
            this.at = next.dueAt;
            next.wake();
        }
    }
}
