import pRetry from "p-retry";
import type { Clock } from "./clock";
import { AnswerError, ConnectionError, isRefusal, ServiceError } from "./errors";
import type { Limiter, Turn } from "./limiter";

/** How long a call goes on trying when its caller names no time: enough for a restart, short enough to notice a wrong host. */
const defaultPatienceMs = 20_000;
/** The pause before the second try. */
const firstPauseMs = 250;
/** Pauses double up to this. */
const longestPauseMs = 5_000;
/** Answers by which a service or the proxy before it says that it has not got to the request, or may not have. */
const passing = new Set([429, 500, 502, 503, 504]);

/** Who retries, and for how long. */
export interface RetryOptions {
    readonly method: "GET" | "POST" | "DELETE";
    readonly clock: Clock;
    readonly limiter: Limiter;
    readonly random: () => number;
    /** How long a failure of this kind is tried again. */
    readonly patience: (error: Error) => Patience;
    readonly signal?: AbortSignal | undefined;
    /** Hears of each failure that is tried again, before the pause. */
    readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/** Two limits, of which the first that is reached ends a call; in milliseconds. */
export interface Patience {
    /** The caller's, from when the first try that failed was sent. */
    readonly callerMs: number;
    /** What such failures are worth, from the first of them: of all, or, of those that do not mend themselves, in a row. */
    readonly failureMs: number;
}

/** A failure that may pass. */
export type CallFailure = ServiceError | ConnectionError | AnswerError;

/** A call that failed and is sent again. */
export interface Retry {
    readonly failure: CallFailure;
    /** The time since the first try that failed was sent. */
    readonly failingMs: number;
    /** The time until it is sent again. */
    readonly pauseMs: number;
}

/** What is known of the address that calls go to. */
export interface Address {
    /** An answer of any kind has come from it. */
    readonly answered: boolean;
    /** An answer that keeps the contract has come from it. */
    readonly usable: boolean;
}

/**
 * How long a failure is tried again. What has never answered, or never with anything usable, is rather a wrong address
 * than a service that is down for a while; and an answer that goes on without what was promised is rather that of another
 * version. A refusal for too many requests is about the pace and not about the call, so it is waited out even by callers
 * who have no patience with failures.
 */
export function patienceWith(error: Error, address: Address, patienceMs?: number): Patience {
    const callerMs = patienceMs === undefined ? Infinity : patienceOfCaller(error, patienceMs);
    if (error instanceof AnswerError && !address.usable) {
        return { callerMs, failureMs: 0 };
    }
    const hopeless = error instanceof ConnectionError ? !address.answered : isLasting(error);
    return { callerMs, failureMs: hopeless || patienceMs === undefined ? defaultPatienceMs : Infinity };
}

/** How long a caller with this patience puts up with a failure, whatever is known of the address. */
export function patienceOfCaller(error: Error, patienceMs: number): number {
    return isRefusal(error) ? Math.max(patienceMs, defaultPatienceMs) : patienceMs;
}

function isLasting(error: Error): boolean {
    return error instanceof AnswerError && error.lasting;
}

/** Whether the same request may be sent again after this failure without the risk of carrying it out twice. */
export function mayRepeat(method: RetryOptions["method"], error: unknown): error is CallFailure {
    if (error instanceof ConnectionError) {
        return method !== "POST" || error.carriedOut === "no";
    }
    if (error instanceof ServiceError) {
        return method === "POST" ? isRefusal(error) : passing.has(error.status);
    }
    return error instanceof AnswerError && method !== "POST";
}

/** Sends until it succeeds, fails for good, or patience runs out; then it throws the last failure. */
export async function withRetries<T>(options: RetryOptions, send: () => Promise<T>): Promise<T> {
    const { clock, limiter, signal } = options;
    let first: { readonly sentAt: number; readonly failedAt: number } | undefined;
    let lastingSince: number | undefined;
    let turn: Turn = 0;
    let sentAt = 0;
    return pRetry(
        async () => {
            turn = await limiter.turn(signal);
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
                if (isRefusal(error)) {
                    limiter.refused(turn, error.retryAfterMs);
                }
                const now = clock.now();
                first ??= { sentAt, failedAt: now };
                lastingSince = isLasting(error) ? (lastingSince ?? now) : undefined;
                const pause = pauseBefore(attemptNumber, error, options.random);
                const { callerMs, failureMs } = options.patience(error);
                const giveUpAt = Math.min(first.sentAt + callerMs, (lastingSince ?? first.failedAt) + failureMs);
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
    const asked = error instanceof ServiceError ? (error.retryAfterMs ?? 0) : 0;
    return Math.max(backOff, asked);
}
