import pRetry from "p-retry";
import type { Clock } from "./clock";
import { InvalidResponseError, ConnectionError, isRateLimited, ApiError, verdictOf } from "./errors";
import type { Limiter, Slot } from "./limiter";

/** How long a call goes on trying when its caller names no time: enough for a restart, short enough to notice a wrong host. */
const defaultBudgetMs = 20_000;
/** A denied request is sent again for this long: enough to tell a fault of the API from a wrong token. */
const denialMs = 1_000;
/** A denied request is sent again at least once within its time. */
const longestPauseAfterDenialMs = denialMs / 2;
/** The pause before the second try. */
const firstPauseMs = 250;
/** Pauses double up to this. */
const longestPauseMs = 5_000;

/** Who retries, and for how long. */
export interface RetryOptions {
    readonly method: "GET" | "POST" | "DELETE";
    readonly clock: Clock;
    readonly limiter: Limiter;
    readonly random: () => number;
    /** How long a failure of this kind is tried again. */
    readonly budget: (error: Error) => RetryBudget;
    readonly signal?: AbortSignal | undefined;
    /** Hears of each failure that is tried again, before the pause. */
    readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/** Two limits, of which the first that is reached ends a call; in milliseconds. */
export interface RetryBudget {
    /** The caller's, from when the first try that failed was sent. */
    readonly callerMs: number;
    /** The client's own, from the first failure. */
    readonly failureMs: number;
}

/** A failure that may pass. */
export type CallFailure = ApiError | ConnectionError | InvalidResponseError;

/** A call that failed and is sent again. */
export interface Retry {
    readonly failure: CallFailure;
    /** The time since the first try that failed was sent. */
    readonly failingMs: number;
    /** The time until it is sent again. */
    readonly pauseMs: number;
}

/**
 * For how long failures of this kind in a row are tried again: those of a wrong token, a wrong address or another version
 * of the API do not pass by themselves. Undefined for those that pass.
 */
function worthMs(error: unknown): number | undefined {
    if (verdictOf(error) === "denied") {
        return denialMs;
    }
    const lasts =
        (error instanceof InvalidResponseError || error instanceof ConnectionError) && error.lasting !== undefined;
    return lasts ? defaultBudgetMs : undefined;
}

/** Failures in a row that are not expected to pass. */
export class LastingFailures {
    private row: { readonly worthMs: number; readonly since: number } | undefined;

    /** When to stop trying, if this failure came now; never for one that passes. */
    endAt(error: unknown, now: number): number {
        const worth = worthMs(error);
        if (worth === undefined) {
            this.over();
            return Infinity;
        }
        this.row = this.row?.worthMs === worth ? this.row : { worthMs: worth, since: now };
        return this.row.since + worth;
    }

    over(): void {
        this.row = undefined;
    }
}

/**
 * How long a failure is tried again. A refusal for too many requests is about the pace and not about the call, so it is
 * waited out even by callers who have no patience with failures.
 */
export function retryBudgetFor(error: Error, retryBudgetMs?: number): RetryBudget {
    return retryBudgetMs === undefined
        ? { callerMs: Infinity, failureMs: defaultBudgetMs }
        : { callerMs: callerBudgetMs(error, retryBudgetMs), failureMs: Infinity };
}

/** How long a caller with this patience puts up with a failure. */
export function callerBudgetMs(error: Error, retryBudgetMs: number): number {
    return isRateLimited(error) ? Math.max(retryBudgetMs, defaultBudgetMs) : retryBudgetMs;
}

/** Whether the same request may be sent again after this failure without the risk of carrying it out twice. */
export function mayRepeat(method: RetryOptions["method"], error: unknown): error is CallFailure {
    const verdict = verdictOf(error);
    return verdict !== undefined && verdict !== "refused" && (verdict !== "missing" || method !== "POST");
}

/** Sends until it succeeds, fails for good, or patience runs out; then it throws the last failure. */
export async function withRetries<T>(options: RetryOptions, send: () => Promise<T>): Promise<T> {
    const { clock, limiter, signal } = options;
    let first: { readonly sentAt: number; readonly failedAt: number } | undefined;
    const lasting = new LastingFailures();
    let turn: Slot = 0;
    let sentAt = 0;
    return pRetry(
        async () => {
            turn = await limiter.acquire(signal);
            sentAt = clock.now();
            const answer = await send();
            limiter.accepted(turn);
            return answer;
        },
        {
            retries: Number.POSITIVE_INFINITY,
            minTimeout: 0,
            maxTimeout: 0,
            ...(signal ? { signal } : {}),
            onFailedAttempt: async ({ error, attemptNumber }) => {
                if (isRateLimited(error)) {
                    limiter.rateLimited(turn, error.retryAfterMs);
                }
                const now = clock.now();
                first ??= { sentAt, failedAt: now };
                const pause = pauseBefore(attemptNumber, error, options.random);
                const { callerMs, failureMs } = options.budget(error);
                const giveUpAt = Math.min(
                    first.sentAt + callerMs,
                    first.failedAt + failureMs,
                    lasting.endAt(error, now),
                );
                if (!mayRepeat(options.method, error) || now + pause > giveUpAt) {
                    throw error;
                }
                options.onRetry?.({ failure: error, failingMs: now - first.sentAt, pauseMs: pause });
                await clock.sleep(pause, signal);
            },
        },
    );
}

function pauseBefore(attempt: number, error: Error, random: () => number): number {
    const backOff = Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs) * (0.5 + random() / 2);
    if (verdictOf(error) === "denied") {
        return Math.min(backOff, longestPauseAfterDenialMs);
    }
    const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
    return Math.max(backOff, asked);
}
