import type { CallOptions } from "../api/client";
import type { Clock } from "../api/clock";
import { DeadlineError } from "../api/errors";
import type { Retry } from "../api/retry";
import { sharedGapMs } from "./schedule";

type Call<T> = (options: CallOptions) => Promise<T>;

/** The options of a subscriber. */
export interface SharedCallOptions extends CallOptions {
    readonly deadlineAt: number;
}

/** Shares one call among concurrent subscribers. The call starts after all of them have subscribed. */
export class SharedCalls {
    private readonly batches = new Map<string, CallBatch<unknown>>();

    constructor(private readonly clock: Clock) {}

    /**
     * Joins the next call with this key, for example "services of project p". The call lasts until the deadline of the last
     * subscriber. Each subscriber is notified of each retry, and fails at its own deadline.
     */
    call<T>(key: string, call: Call<T>, options: SharedCallOptions): Promise<T> {
        const batch = (this.batches.get(key) as CallBatch<T> | undefined) ?? new CallBatch<T>(key, this.clock);
        this.batches.set(key, batch as CallBatch<unknown>);
        return batch.join(call, options);
    }
}

/** The calls of one key, which run one at a time. */
class CallBatch<T> {
    /** The subscribers that wait for the next call. */
    private waiting = new Set<Subscriber<T>>();
    /** The subscribers that the current call serves. */
    private present = new Set<Subscriber<T>>();
    private end = new AbortController();
    private busy = false;
    private beganAt = -Infinity;
    /** The last retry of the current call, and the end of its pause. */
    private paused: { readonly retry: Retry; readonly until: number } | undefined;

    constructor(
        private readonly key: string,
        private readonly clock: Clock,
    ) {}

    join(call: Call<T>, options: SharedCallOptions): Promise<T> {
        return new Promise((resolve, reject) => {
            const now = this.clock.now();
            const { deadlineAt, signal } = options;
            const leave = () => {
                stop();
                signal?.removeEventListener("abort", onAbort);
                this.waiting.delete(subscriber);
                if (this.present.delete(subscriber) && this.present.size === 0) {
                    this.end.abort();
                }
            };
            const subscriber: Subscriber<T> = {
                call,
                options,
                succeed: (result) => {
                    leave();
                    resolve(result);
                },
                fail: (error) => {
                    leave();
                    reject(error);
                },
            };
            const onAbort = () => subscriber.fail(signal?.reason as Error);
            const onDeadline = () => subscriber.fail(new DeadlineError(this.unanswered()));
            const stop = this.clock.after(Math.max(deadlineAt - now, 0), onDeadline);
            signal?.addEventListener("abort", onAbort);
            this.waiting.add(subscriber);
            if (signal?.aborted) {
                onAbort();
            } else if (deadlineAt <= now) {
                onDeadline();
            } else if (this.paused !== undefined && this.paused.until > now) {
                const { retry, until } = this.paused;
                notify(subscriber, { ...retry, pauseMs: until - now }, now);
            }
            if (!this.busy) {
                void this.serve();
            }
        });
    }

    private unanswered(): string {
        return (
            `The API did not return the ${this.key} within the time limit. ` +
            `Check the network and whether the API is available.`
        );
    }

    private async serve(): Promise<void> {
        this.busy = true;
        while (this.waiting.size > 0) {
            const delayMs = this.beganAt + sharedGapMs - this.clock.now();
            if (delayMs > 0) {
                await this.clock.sleep(delayMs);
            }
            await this.callForAll();
        }
        this.busy = false;
    }

    private async callForAll(): Promise<void> {
        const { clock } = this;
        this.beganAt = clock.now();
        this.end = new AbortController();
        this.admit();
        const [first] = this.present;
        try {
            const result = await first?.call({
                signal: this.end.signal,
                // Each subscriber has its own deadline. The call ends with the last one.
                deadlineAt: Infinity,
                onSlow: (waitsFor) => this.present.forEach(({ options }) => options.onSlow?.(waitsFor)),
                onRetry: (retry) => {
                    const now = clock.now();
                    this.paused = { retry, until: now + retry.pauseMs };
                    // New subscribers join the retry.
                    this.admit();
                    this.present.forEach((one) => notify(one, retry, now));
                    return this.present.size > 0;
                },
            });
            this.present.forEach((one) => one.succeed(result as T));
        } catch (error) {
            this.present.forEach((one) => one.fail(error as Error));
        } finally {
            this.paused = undefined;
        }
    }

    private admit(): void {
        this.waiting.forEach((one) => this.present.add(one));
        this.waiting.clear();
    }
}

interface Subscriber<T> {
    readonly call: Call<T>;
    readonly options: SharedCallOptions;
    readonly succeed: (result: T) => void;
    readonly fail: (error: Error) => void;
}

/** Notifies a subscriber of a retry. It fails if the retry is after its deadline. */
function notify<T>({ options, fail }: Subscriber<T>, retry: Retry, now: number): void {
    if (now + retry.pauseMs >= options.deadlineAt) {
        fail(DeadlineError.after(retry.failure, retry.pauseMs));
    } else {
        options.onRetry?.(retry);
    }
}
