import pRetry from "p-retry";
import type { Clock } from "./clock";
import { untilDeadline, type Deadline } from "./deadline";
import { ApiError, DeadlineError, isRateLimited, type CallFailure } from "./errors";
import type { Limiter, Slot } from "./limiter";
import { maxPauseAfter, RetryPolicy, type Method } from "./retryPolicy";

/** The pause before the first retry. */
const firstPauseMs = 250;
/** Pauses double up to this maximum. */
const maxPauseMs = 5_000;
/** The caller is notified of an attempt that takes longer than this. */
const slowMs = 2_000;

/** What the caller hears of the attempts, and whether there is more than one. */
export interface RetryHandlers {
    /** Called for each failure that is retried, before the pause. */
    readonly onRetry?: ((retry: Retry) => unknown) | undefined;
    /** Called for each attempt that takes long, with what the call waits for. */
    readonly onSlow?: ((waitsFor: string) => void) | undefined;
    /** Whether the call fails at the first failure. */
    readonly isSingle?: boolean | undefined;
}

/** The options of a call with retries. No request is sent after its deadline. */
export interface RetryOptions extends Deadline, RetryHandlers {
    /** The operation, for messages. */
    readonly operation: string;
    readonly method: Method;
    readonly clock: Clock;
    readonly limiter: Limiter;
    readonly random: () => number;
}

/** A failed call that is retried. */
export interface Retry {
    readonly failure: CallFailure;
    /** The time since the first failed attempt was sent. */
    readonly failingMs: number;
    /** The time until the retry. */
    readonly pauseMs: number;
}

/**
 * Sends a request, and repeats it if that needs neither a read nor a wait. Otherwise, it throws the last failure, or a
 * `DeadlineError` if only the deadline prevents a retry.
 */
export async function withRetries<T>(options: RetryOptions, send: () => Promise<T>): Promise<T> {
    const attempts = new Attempts(options, send);
    return pRetry(() => attempts.next(), {
        retries: Number.POSITIVE_INFINITY,
        // The pause before a retry is by the clock of the client, and honours the signal. With the signal, p-retry would
        // also discard the response to a request that was sent before the abort.
        minTimeout: 0,
        maxTimeout: 0,
        shouldRetry: ({ error }) => attempts.isRepeated(error),
    });
}

/** The attempts to send one request. */
class Attempts<T> {
    private readonly policy: RetryPolicy;
    private slot: Slot = 0;
    private sentAt = 0;
    private failures = 0;
    private failingSince: number | undefined;
    private lastFailure: Error | undefined;

    constructor(
        private readonly options: RetryOptions,
        private readonly send: () => Promise<T>,
    ) {
        this.policy = new RetryPolicy(options.method);
    }

    /** Waits for its turn, and sends the request. */
    async next(): Promise<T> {
        const { operation, clock, limiter, deadlineAt, onSlow } = this.options;
        let waitsFor = `its turn to send ${operation}, because the API limits the rate of requests`;
        const stop = onSlow && clock.after(slowMs, () => onSlow(waitsFor));
        const isLate = clock.now() >= deadlineAt;
        const timedOut = () => (isLate ? this.late() : rateLimitedUntilDeadline(operation));
        try {
            this.slot = await untilDeadline(this.options, clock, timedOut, (signal) => limiter.acquire(signal));
            waitsFor = `the response to ${operation}`;
            this.sentAt = clock.now();
            const response = await this.send();
            limiter.accepted(this.slot);
            return response;
        } finally {
            stop?.();
        }
    }

    /** Records a failed attempt. Pauses if the request may simply be repeated. */
    async isRepeated(error: Error): Promise<boolean> {
        const { clock, limiter, deadlineAt, random, onRetry, isSingle, signal } = this.options;
        if (isRateLimited(error)) {
            limiter.rateLimited(this.slot, error.retryAfterMs);
        }
        this.lastFailure = error;
        this.failures += 1;
        this.failingSince ??= this.sentAt;
        const pauseMs = pauseBefore(this.failures, error, random);
        const now = clock.now();
        if (isSingle || this.policy.reactionTo(error, now, pauseMs) !== "repeat") {
            return false;
        }
        const failure = error as CallFailure;
        if (now + pauseMs >= deadlineAt) {
            throw DeadlineError.after(failure, pauseMs);
        }
        onRetry?.({ failure, failingMs: now - this.failingSince, pauseMs });
        await clock.sleep(pauseMs, signal);
        return true;
    }

    /** The deadline has passed before the request could be sent, or sent again. */
    private late(): DeadlineError {
        return this.lastFailure === undefined
            ? new DeadlineError(`${this.options.operation} was not sent, because the time limit had passed.`)
            : DeadlineError.after(this.lastFailure, 0);
    }
}

function rateLimitedUntilDeadline(operation: string): DeadlineError {
    return new DeadlineError(
        `${operation} was not sent within the time limit, because the API limits the rate of requests (429). ` +
            `Lower the parallelism or try again later.`,
    );
}

/** The pause before this attempt, counted from 1. */
export function pauseBefore(attempt: number, error: Error, random: () => number): number {
    const backOff = Math.min(firstPauseMs * 2 ** (attempt - 1), maxPauseMs) * (0.5 + random() / 2);
    const requestedMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
    return Math.min(Math.max(backOff, requestedMs), maxPauseAfter(error));
}
