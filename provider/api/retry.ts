import pRetry from "p-retry";
import type { Clock } from "./clock";
import { InvalidResponseError, ConnectionError, isRateLimited, ApiError, verdictOf } from "./errors";
import type { Limiter, Slot } from "./limiter";

/** The retry budget of a call without one: enough for a restart of the API, short enough to notice a wrong host. */
const defaultBudgetMs = 20_000;
/** How long a denied request is retried: enough to distinguish an error of the API from a wrong token. */
const denialMs = 1_000;
/** Ensures at least one retry of a denied request. */
const maxPauseAfterDenialMs = denialMs / 2;
/** The pause before the first retry. */
const firstPauseMs = 250;
/** Pauses double up to this maximum. */
const maxPauseMs = 5_000;

/** The options of a call with retries. */
export interface RetryOptions {
    readonly method: "GET" | "POST" | "DELETE";
    readonly clock: Clock;
    readonly limiter: Limiter;
    readonly random: () => number;
    /** How long a failure of this kind is retried. */
    readonly budget: (error: Error) => RetryBudget;
    readonly signal?: AbortSignal | undefined;
    /** Called for each failure that is retried, before the pause. */
    readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/** Two limits in milliseconds. The call fails when the first one is reached. */
export interface RetryBudget {
    /** The limit of the caller, counted from the time when the first failed attempt was sent. */
    readonly callerMs: number;
    /** The limit of the client, counted from the first failure. */
    readonly failureMs: number;
}

/** A failure that may be retried. */
export type CallFailure = ApiError | ConnectionError | InvalidResponseError;

/** A failed call that is retried. */
export interface Retry {
    readonly failure: CallFailure;
    /** The time since the first failed attempt was sent. */
    readonly failingMs: number;
    /** The time until the retry. */
    readonly pauseMs: number;
}

/**
 * How long consecutive failures of this kind are retried, if they are not transient: a wrong token, a wrong address or
 * another version of the API. Undefined for transient failures.
 */
function lastingBudgetMs(error: unknown): number | undefined {
    if (verdictOf(error) === "denied") {
        return denialMs;
    }
    const isLasting =
        (error instanceof InvalidResponseError || error instanceof ConnectionError) && error.lasting !== undefined;
    return isLasting ? defaultBudgetMs : undefined;
}

/** Tracks consecutive failures that are not transient. */
export class LastingFailures {
    private current: { readonly budgetMs: number; readonly since: number } | undefined;

    /** When to stop retrying if this failure occurs now. Infinity for a transient failure. */
    endAt(error: unknown, now: number): number {
        const budgetMs = lastingBudgetMs(error);
        if (budgetMs === undefined) {
            this.reset();
            return Infinity;
        }
        this.current = this.current?.budgetMs === budgetMs ? this.current : { budgetMs, since: now };
        return this.current.since + budgetMs;
    }

    reset(): void {
        this.current = undefined;
    }
}

/** How long a failure is retried. */
export function retryBudgetFor(error: Error, retryBudgetMs?: number): RetryBudget {
    return retryBudgetMs === undefined
        ? { callerMs: Infinity, failureMs: defaultBudgetMs }
        : { callerMs: callerBudgetMs(error, retryBudgetMs), failureMs: Infinity };
}

/**
 * How long a caller with this budget retries a failure. A 429 concerns the rate and not the call, so every caller
 * retries it.
 */
export function callerBudgetMs(error: Error, retryBudgetMs: number): number {
    return isRateLimited(error) ? Math.max(retryBudgetMs, defaultBudgetMs) : retryBudgetMs;
}

/** Whether a retry after this failure cannot make the API process the request twice. */
export function mayRepeat(method: RetryOptions["method"], error: unknown): error is CallFailure {
    const verdict = verdictOf(error);
    return verdict !== undefined && verdict !== "refused" && (verdict !== "missing" || method !== "POST");
}

/** Sends a request and retries it. Throws the last failure if that cannot be retried or the budget is spent. */
export async function withRetries<T>(options: RetryOptions, send: () => Promise<T>): Promise<T> {
    const { clock, limiter, signal } = options;
    let first: { readonly sentAt: number; readonly failedAt: number } | undefined;
    const lasting = new LastingFailures();
    let slot: Slot = 0;
    let sentAt = 0;
    return pRetry(
        async () => {
            slot = await limiter.acquire(signal);
            sentAt = clock.now();
            const response = await send();
            limiter.accepted(slot);
            return response;
        },
        {
            retries: Number.POSITIVE_INFINITY,
            minTimeout: 0,
            maxTimeout: 0,
            ...(signal ? { signal } : {}),
            onFailedAttempt: async ({ error, attemptNumber }) => {
                if (isRateLimited(error)) {
                    limiter.rateLimited(slot, error.retryAfterMs);
                }
                const now = clock.now();
                first ??= { sentAt, failedAt: now };
                const pause = pauseBefore(attemptNumber, error, options.random);
                const { callerMs, failureMs } = options.budget(error);
                const endAt = Math.min(first.sentAt + callerMs, first.failedAt + failureMs, lasting.endAt(error, now));
                if (!mayRepeat(options.method, error) || now + pause > endAt) {
                    throw error;
                }
                options.onRetry?.({ failure: error, failingMs: now - first.sentAt, pauseMs: pause });
                await clock.sleep(pause, signal);
            },
        },
    );
}

function pauseBefore(attempt: number, error: Error, random: () => number): number {
    const backOff = Math.min(firstPauseMs * 2 ** (attempt - 1), maxPauseMs) * (0.5 + random() / 2);
    if (verdictOf(error) === "denied") {
        return Math.min(backOff, maxPauseAfterDenialMs);
    }
    const requestedMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
    return Math.max(backOff, requestedMs);
}
