import type { CallOptions } from "../api/client";
import { DeadlineError, type CallFailure } from "../api/errors";
import { pauseBefore, type Retry } from "../api/retry";
import { RetryPolicy } from "../api/retryPolicy";
import type { Listing, Source } from "./listing";
import type { Found, Watcher } from "./poller";
import { notFoundPollMs } from "./schedule";
import { watchUntil, type End, type EndingWatcher, type WaitContext } from "./watch";

/** The options of a read. It is repeated until its deadline. */
export interface ReadOptions extends Pick<CallOptions, "signal" | "onRetry" | "onSlow"> {
    readonly deadlineAt: number;
}

/**
 * Reads the whole list, in one request for all callers that need it now. If `use` throws for a malformed entry, the
 * list is read again for a while: the API may not have completed the entry yet.
 */
export function readListing<T, Result>(
    source: Source<T>,
    use: (listing: Listing<T>) => Result,
    options: ReadOptions,
    context: WaitContext,
): Promise<Result> {
    const { deadlineAt, signal } = options;
    if (deadlineAt <= context.clock.now()) {
        return Promise.reject(noResponse(source));
    }
    return watchUntil(source, { endsAt: deadlineAt, signal }, context, (end: End<Result>) => {
        const succeed = (listing: Listing<T>) => {
            const result = use(listing);
            end((resolve) => resolve(result));
        };
        return new Read(source, succeed, (error) => end((_, reject) => reject(error)), options, context);
    });
}

/** One read. After each poll that fails, it decides whether to repeat it. */
class Read<T> implements EndingWatcher<T> {
    dueAt: number;
    private readonly beganAt: number;
    private readonly policy = new RetryPolicy("GET");
    private failures = 0;
    /** The last retry. */
    private retry: Retry | undefined;

    constructor(
        private readonly source: Source<T>,
        private readonly succeed: (listing: Listing<T>) => void,
        private readonly fail: (error: Error) => void,
        private readonly options: ReadOptions,
        private readonly context: WaitContext,
    ) {
        this.beganAt = context.clock.now();
        this.dueAt = this.beganAt;
    }

    /** Shares the pause of an earlier read after a failed poll. */
    joins(others: Iterable<Watcher<T>>): void {
        const now = this.context.clock.now();
        for (const other of others) {
            if (other instanceof Read && other.failures > 0 && other.retry !== undefined && other.dueAt > now) {
                this.failures = other.failures;
                this.pause({ ...other.retry, pauseMs: other.dueAt - now });
                return;
            }
        }
    }

    seen({ listing }: Found<T>): void {
        this.failures = 0;
        try {
            this.succeed(listing);
        } catch (error) {
            this.repeat(error, notFoundPollMs);
        }
    }

    pollFailed(error: unknown): void {
        this.failures += 1;
        this.repeat(error, pauseBefore(this.failures, error as Error, this.context.random));
    }

    slow(waitsFor: string): void {
        this.options.onSlow?.(waitsFor);
    }

    timeOut(): void {
        this.fail(this.retry === undefined ? noResponse(this.source) : DeadlineError.after(this.retry.failure, 0));
    }

    private repeat(error: unknown, pauseMs: number): void {
        const now = this.context.clock.now();
        if (this.policy.reactionTo(error, now, pauseMs) === "repeat") {
            this.pause({ failure: error as CallFailure, failingMs: now - this.beganAt, pauseMs });
        } else {
            this.fail(error as Error);
        }
    }

    private pause(retry: Retry): void {
        const now = this.context.clock.now();
        if (now + retry.pauseMs >= this.options.deadlineAt) {
            this.fail(DeadlineError.after(retry.failure, retry.pauseMs));
            return;
        }
        this.retry = retry;
        this.dueAt = now + retry.pauseMs;
        this.options.onRetry?.(retry);
    }
}

function noResponse({ key }: Source<unknown>): DeadlineError {
    return new DeadlineError(
        `The API did not return the ${key} within the time limit. Check the network and whether the API is available.`,
    );
}
