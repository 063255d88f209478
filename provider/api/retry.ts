import pRetry from "p-retry";
import type { Clock } from "./clock";
import { ApiError, isRateLimited, type CallFailure } from "./errors";
import type { Limiter, Slot } from "./limiter";
import { budgetFor, maxPauseAfter, RetryPolicy, type Method } from "./retryPolicy";

/** The pause before the first retry. */
const firstPauseMs = 250;
/** Pauses double up to this maximum. */
const maxPauseMs = 5_000;

/** The options of a call with retries. */
export interface RetryOptions {
    readonly method: Method;
    readonly clock: Clock;
    readonly limiter: Limiter;
    readonly random: () => number;
    /** How long the caller wants failures to be retried, in milliseconds from when the first failed attempt was sent. */
    readonly retryBudgetMs: () => number;
    readonly signal?: AbortSignal | undefined;
    /** Called for each failure that is retried, before the pause. The call fails at once if it returns false. */
    readonly onRetry?: ((retry: Retry) => unknown) | undefined;
}

/** A failed call that is retried. */
export interface Retry {
    readonly failure: CallFailure;
    /** The time since the first failed attempt was sent. */
    readonly failingMs: number;
    /** The time until the retry. */
    readonly pauseMs: number;
}

/** Sends a request, and repeats it where the policy allows that. Otherwise, or without budget, it throws the last failure. */
export async function withRetries<T>(options: RetryOptions, send: () => Promise<T>): Promise<T> {
    const { clock, limiter, signal } = options;
    const policy = new RetryPolicy(options.method);
    let slot: Slot = 0;
    let sentAt = 0;
    let failingSince: number | undefined;
    let pauseMs = 0;
    return pRetry(
        async () => {
            if (pauseMs > 0) {
                await clock.sleep(pauseMs, signal);
            }
            slot = await limiter.acquire(signal);
            sentAt = clock.now();
            const response = await send();
            limiter.accepted(slot);
            return response;
        },
        {
            retries: Number.POSITIVE_INFINITY,
            // The attempt itself pauses, by the clock of the client, and honours the signal. With the signal, p-retry would
            // also discard the response to a request that was sent before the abort.
            minTimeout: 0,
            maxTimeout: 0,
            onFailedAttempt: ({ error, attemptNumber }) => {
                if (isRateLimited(error)) {
                    limiter.rateLimited(slot, error.retryAfterMs);
                }
                failingSince ??= sentAt;
                pauseMs = pauseBefore(attemptNumber, error, options.random);
            },
            shouldRetry: ({ error }) => {
                const now = clock.now();
                const failingMs = now - (failingSince ?? now);
                return (
                    policy.reactionTo(error, now, pauseMs) === "repeat" &&
                    failingMs + pauseMs <= budgetFor(error, options.retryBudgetMs()) &&
                    options.onRetry?.({ failure: error as CallFailure, failingMs, pauseMs }) !== false
                );
            },
        },
    );
}

function pauseBefore(attempt: number, error: Error, random: () => number): number {
    const backOff = Math.min(firstPauseMs * 2 ** (attempt - 1), maxPauseMs) * (0.5 + random() / 2);
    const requestedMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
    return Math.min(Math.max(backOff, requestedMs), maxPauseAfter(error));
}
