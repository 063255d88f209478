import type { CallOptions } from "../api/client";
import type { Clock } from "../api/clock";
import { callerBudgetMs, type Retry } from "../api/retry";
import { sharedGapMs } from "./schedule";

/** How someone asks who has a time of his own. */
export type SharedCallOptions = CallOptions & { readonly retryBudgetMs: number };

type Call<T> = (options: CallOptions) => Promise<T>;

/** Those who ask for the same thing at about the same time share one call, which is begun after they have asked. */
export class SharedCalls {
    private readonly batches = new Map<string, CallBatch<unknown>>();

    constructor(private readonly clock: Clock) {}

    /**
     * Has the call of this key made, or waits for the one that others are about to have made. It is tried again for as long
     * as anyone of them has patience; each of them hears of it, and gives up at his own time.
     */
    call<T>(key: string, call: Call<T>, options: SharedCallOptions): Promise<T> {
        const line = (this.batches.get(key) as CallBatch<T> | undefined) ?? new CallBatch<T>(this.clock);
        this.batches.set(key, line as CallBatch<unknown>);
        return line.join(call, options);
    }
}

/** The calls of one key, of which one at a time is under way. */
class CallBatch<T> {
    private waiting: Subscriber<T>[] = [];
    private busy = false;
    private beganAt = -Infinity;
    /** Why the call under way was tried again last, and until when it pauses. */
    private paused: { readonly retry: Retry; readonly until: number } | undefined;

    constructor(private readonly clock: Clock) {}

    join(call: Call<T>, options: SharedCallOptions): Promise<T> {
        return new Promise((resolve, reject) => {
            const now = this.clock.now();
            const asker = new Subscriber(call, options, now, resolve, reject);
            const { retry, until = now } = this.paused ?? {};
            if (retry !== undefined && until > now && !asker.continuesAfter({ ...retry, pauseMs: until - now }, now)) {
                return;
            }
            this.waiting.push(asker);
            if (!this.busy) {
                void this.serve();
            }
        });
    }

    private async serve(): Promise<void> {
        this.busy = true;
        while (this.waiting.length > 0) {
            const early = this.beganAt + sharedGapMs - this.clock.now();
            if (early > 0) {
                await this.clock.sleep(early);
            }
            await this.callFor(this.waiting.splice(0));
        }
        this.busy = false;
    }

    private async callFor(present: readonly Subscriber<T>[]): Promise<void> {
        const { clock } = this;
        const beganAt = clock.now();
        this.beganAt = beganAt;
        let askers = present;
        const [first] = askers;
        try {
            const answer = await first?.call({
                // There is one for the whole process.
                signal: first.options.signal,
                get retryBudgetMs() {
                    return Math.max(...askers.map((asker) => asker.deadlineAt())) - beganAt;
                },
                onRetry: (retry) => {
                    const now = clock.now();
                    this.paused = { retry, until: now + retry.pauseMs };
                    // Whoever has come meanwhile came before the next try.
                    askers = [...askers, ...this.waiting.splice(0)];
                    askers = askers.filter((asker) => asker.continuesAfter(retry, now));
                    if (askers.length === 0) {
                        throw retry.failure;
                    }
                },
            });
            askers.forEach((asker) => {
                asker.resolve(answer as T);
            });
        } catch (error) {
            askers.forEach((asker) => {
                asker.reject(error);
            });
        } finally {
            this.paused = undefined;
        }
    }
}

class Subscriber<T> {
    constructor(
        readonly call: Call<T>,
        readonly options: SharedCallOptions,
        private readonly askedAt: number,
        readonly resolve: (answer: T) => void,
        readonly reject: (error: unknown) => void,
    ) {}

    /** When he has no patience left. */
    deadlineAt(retryBudgetMs = this.options.retryBudgetMs): number {
        return this.askedAt + retryBudgetMs;
    }

    /** Whether he goes on after this failure. */
    continuesAfter(retry: Retry, now: number): boolean {
        const retryBudgetMs = callerBudgetMs(retry.failure, this.options.retryBudgetMs);
        if (now + retry.pauseMs > this.deadlineAt(retryBudgetMs)) {
            this.reject(retry.failure);
            return false;
        }
        this.options.onRetry?.(retry);
        return true;
    }
}
