import type { CallOptions } from "../api/client";
import type { Clock } from "../api/clock";
import type { Retry } from "../api/retry";
import { budgetFor } from "../api/retryPolicy";
import { sharedGapMs } from "./schedule";

type Call<T> = (options: CallOptions) => Promise<T>;

/** Shares one call among concurrent subscribers. The call starts after all of them have subscribed. */
export class SharedCalls {
    private readonly batches = new Map<string, CallBatch<unknown>>();

    constructor(private readonly clock: Clock) {}

    /**
     * Joins the next call with this key. The call is retried while any subscriber has retry budget. Each subscriber is
     * notified of each retry, and fails when its own budget is spent.
     */
    call<T>(key: string, call: Call<T>, options: CallOptions): Promise<T> {
        const batch = (this.batches.get(key) as CallBatch<T> | undefined) ?? new CallBatch<T>(this.clock);
        this.batches.set(key, batch as CallBatch<unknown>);
        return batch.join(call, options);
    }
}

/** The calls of one key, which run one at a time. */
class CallBatch<T> {
    private waiting: Subscriber<T>[] = [];
    private busy = false;
    private beganAt = -Infinity;
    /** The last retry of the current call, and the end of its pause. */
    private paused: { readonly retry: Retry; readonly until: number } | undefined;

    constructor(private readonly clock: Clock) {}

    join(call: Call<T>, options: CallOptions): Promise<T> {
        return new Promise((resolve, reject) => {
            const now = this.clock.now();
            const subscriber = new Subscriber(call, options, now, resolve, reject);
            const { retry, until = now } = this.paused ?? {};
            if (
                retry !== undefined &&
                until > now &&
                !subscriber.continuesAfter({ ...retry, pauseMs: until - now }, now)
            ) {
                return;
            }
            this.waiting.push(subscriber);
            if (!this.busy) {
                void this.serve();
            }
        });
    }

    private async serve(): Promise<void> {
        this.busy = true;
        while (this.waiting.length > 0) {
            const delayMs = this.beganAt + sharedGapMs - this.clock.now();
            if (delayMs > 0) {
                await this.clock.sleep(delayMs);
            }
            await this.callFor(this.waiting.splice(0));
        }
        this.busy = false;
    }

    private async callFor(present: readonly Subscriber<T>[]): Promise<void> {
        const { clock } = this;
        const beganAt = clock.now();
        this.beganAt = beganAt;
        let subscribers = present;
        const [first] = subscribers;
        try {
            const result = await first?.call({
                // All subscribers have the same signal.
                signal: first.options.signal,
                get retryBudgetMs() {
                    return Math.max(...subscribers.map((one) => one.deadlineAt())) - beganAt;
                },
                onRetry: (retry) => {
                    const now = clock.now();
                    this.paused = { retry, until: now + retry.pauseMs };
                    // New subscribers join the retry.
                    subscribers = [...subscribers, ...this.waiting.splice(0)];
                    subscribers = subscribers.filter((one) => one.continuesAfter(retry, now));
                    return subscribers.length > 0;
                },
            });
            subscribers.forEach((one) => {
                one.resolve(result as T);
            });
        } catch (error) {
            subscribers.forEach((one) => {
                one.reject(error);
            });
        } finally {
            this.paused = undefined;
        }
    }
}

class Subscriber<T> {
    constructor(
        readonly call: Call<T>,
        readonly options: CallOptions,
        private readonly subscribedAt: number,
        readonly resolve: (result: T) => void,
        readonly reject: (error: unknown) => void,
    ) {}

    /** When the retry budget is spent. */
    deadlineAt(retryBudgetMs = this.options.retryBudgetMs): number {
        return this.subscribedAt + retryBudgetMs;
    }

    /** Whether the subscriber waits for the retry of this failure. If not, it fails. */
    continuesAfter(retry: Retry, now: number): boolean {
        const retryBudgetMs = budgetFor(retry.failure, this.options.retryBudgetMs);
        if (now + retry.pauseMs > this.deadlineAt(retryBudgetMs)) {
            this.reject(retry.failure);
            return false;
        }
        this.options.onRetry?.(retry);
        return true;
    }
}
