import { way } from "../base/message";
import type { Method } from "./callAdvice";
import pRetry from "p-retry";
import { ApiError, DeadlineError, CallError } from "./callErrors";
import type { FailureClass, PermanentCause } from "./callErrors";
import { type Clock, type Deadline, untilDeadline } from "./clock";
import { methods } from "./operations.gen";

/** The pause before the first retry. */
const firstPauseMs = 250;
/** Pauses double up to this maximum. */
const maxPauseMs = 5_000;

/** A failed attempt that is followed by another one. */
export interface Retry {
    readonly failure: CallError;
    /** The time since the first attempt began. */
    readonly failingMs: number;
    /** The pause before the next attempt. */
    readonly pauseMs: number;
}

/** How a request is repeated. No attempt begins after the deadline. */
export interface RetryOptions extends Deadline {
    readonly clock: Clock;
    readonly random: () => number;
    /** Called for each failure that is retried, before the pause. */
    readonly onRetry?: ((retry: Retry) => unknown) | undefined;
    /** Whether the first failure is final. */
    readonly isSingle?: boolean | undefined;
}

/**
 * Repeats a request as far as that needs neither a read nor a wait. Otherwise throws the last failure, or a `DeadlineError`
 * if only the deadline prevents a retry. Each attempt makes the pause after the last one itself.
 */
export async function withRetries<T>(
    options: RetryOptions,
    attempt: (last: Retry | undefined) => Promise<T>,
): Promise<T> {
    const { clock, random, deadlineAt, onRetry, isSingle } = options;
    const beganAt = clock.now();
    let last: Retry | undefined;
    let count = 0;
    /** The time limit of the last failures, and when it ends. */
    let current = { limitMs: Infinity, endsAt: Infinity };
    /** The pause before the next attempt; undefined if the request is not simply repeated. */
    const pauseAfter = (failure: CallError): number | undefined => {
        const { permanentCause: cause } = failure;
        const limitMs = cause === undefined ? Infinity : limitsMs[cause];
        if (limitMs !== current.limitMs) {
            current = { limitMs, endsAt: clock.now() + limitMs };
        }
        const backOff = Math.min(firstPauseMs * 2 ** count, maxPauseMs) * (0.5 + random() / 2);
        const { ms, ruleMs } = pauseOf(backOff, current.endsAt - clock.now(), requestedMsOf(failure));
        count += 1;
        current.endsAt += ms - ruleMs;
        return isSingle || ruleMs <= 0 || reactionTo(failure) !== "repeat" ? undefined : ms;
    };
    return pRetry(() => attempt(last), {
        retries: Number.POSITIVE_INFINITY,
        // The pause is by the clock of the client. With a signal, p-retry would also discard the response to a request that
        // was sent before the abort.
        minTimeout: 0,
        maxTimeout: 0,
        shouldRetry: ({ error }) => {
            if (!(error instanceof CallError)) {
                return false;
            }
            const pauseMs = pauseAfter(error);
            if (pauseMs === undefined) {
                return false;
            }
            const now = clock.now();
            if (now + pauseMs >= deadlineAt) {
                // A longer pause than the longest one is requested by the API.
                throw DeadlineError.after(error, pauseMs > maxPauseMs ? pauseMs : undefined);
            }
            last = { failure: error, failingMs: now - beganAt, pauseMs };
            onRetry?.(last);
            return true;
        },
    });
}

/** The caller is notified of an attempt that takes longer than this. */
const slowMs = 2_000;

/** How each attempt to send a request is made. */
export interface AttemptOptions extends Deadline {
    /** The operation, for messages. */
    readonly operation: string;
    readonly clock: Clock;
    readonly limiter: RateLimiter;
    /** Called for each attempt that takes long, with what it waits for. */
    readonly onSlow?: ((waitsFor: string) => void) | undefined;
}

/** One attempt to send a request: after the pause that follows the last one, and when the limiter allows it. */
export async function attempt<T>(options: AttemptOptions, last: Retry | undefined, send: () => Promise<T>): Promise<T> {
    const { operation, clock, limiter, deadlineAt, signal, onSlow } = options;
    if (last !== undefined) {
        await clock.sleep(last.pauseMs, signal);
    }
    let waitsFor = `its turn to send ${operation}, because the API limits the rate of requests`;
    const stop = onSlow && clock.after(slowMs, () => onSlow(waitsFor));
    const isLate = clock.now() >= deadlineAt;
    const timedOut = () => notSent(operation, isLate, last);
    try {
        const number = await untilDeadline(options, clock, timedOut, (ended) => limiter.acquire(ended));
        waitsFor = `the response to ${operation}`;
        try {
            const response = await send();
            limiter.accepted(number);
            return response;
        } catch (error) {
            if (error instanceof ApiError && error.failureClass === "rateLimited") {
                limiter.rateLimited(number, error.retryAfterMs);
            }
            throw error;
        }
    } finally {
        stop?.();
    }
}

/** The deadline has passed before the request could be sent, or sent again. */
function notSent(operation: string, isLate: boolean, last: Retry | undefined): DeadlineError {
    if (isLate) {
        return last === undefined
            ? new DeadlineError(`${operation} was not sent, because the time limit had passed.`)
            : DeadlineError.after(last.failure);
    }
    return new DeadlineError({
        what: `${operation} was not sent within the time limit, because the API limits the rate of requests (429).`,
        ways: [way("Too many requests", "lower the parallelism, or try again later")],
    });
}

/** What to do after a failed request. */
type Reaction =
    /** Send it again. */
    | "repeat"
    /** Read the resource: the request may have taken effect. If it has not, send it again, unless it creates. */
    | "readFirst"
    /** Find out why the API rejects the request, and send it again once that cause is gone. */
    | "wait"
    /** Fail. */
    | "fail";

/** The reaction to one failure, regardless of time limits. */
export function reactionTo(error: unknown): Reaction {
    if (!(error instanceof CallError)) {
        return "fail";
    }
    const effect = methods[error.method];
    return effect !== "read" && error.happened === "maybe" ? "readFirst" : reactions[error.failureClass][effect];
}

/** What a method does. */
type Effect = (typeof methods)[Method];

/**
 * The reaction to each failure of a request that has not happened, and of a read. The caller of a request reads and waits, because
 * only the caller knows what to read.
 */
const reactions: Readonly<Record<FailureClass, Readonly<Record<Effect, Reaction>>>> = {
    noResponse: { read: "repeat", change: "repeat", deletion: "repeat" },
    rateLimited: { read: "repeat", change: "repeat", deletion: "repeat" },
    unauthorized: { read: "repeat", change: "repeat", deletion: "repeat" },
    conflict: { read: "fail", change: "wait", deletion: "wait" },
    notFound: { read: "fail", change: "fail", deletion: "readFirst" },
    rejected: { read: "fail", change: "fail", deletion: "fail" },
};

/** A pause after a failed call. */
interface Pause {
    readonly ms: number;
    /** The part of it that the rule makes, and that counts against the time limit of the rule. */
    readonly ruleMs: number;
}

/**
 * The pause after a failed call: what the rule says, or what the API asks for if that is longer. The rule ends at its time limit,
 * with a last request.
 */
export function pauseOf(ruleMs: number, leftMs: number, requestedMs: number): Pause {
    const own = Math.min(ruleMs, leftMs);
    return { ms: Math.max(own, requestedMs), ruleMs: own };
}

/** The pause that the API asks for in its response to a failed call. */
export const requestedMsOf = (error: unknown): number => (error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0);

/**
 * How long consecutive failures with one cause are retried, in milliseconds, without what the API asks for. A failure without a
 * cause is transient: only the deadline of the caller limits it.
 */
const limitsMs: Readonly<Record<PermanentCause, number>> = {
    /** Enough to distinguish an error of the API from a wrong token. */
    unauthorized: 1_000,
    /** A tool may renew the token in the file a little late. */
    tokenFile: 30_000,
    /** Enough for a restart of the API, and short enough to notice a wrong host. */
    address: 20_000,
    /** No process listens at an address that has never responded. */
    connectionRefused: 3_000,
    /** Another version of the API, or an entry that the API has not completed yet. */
    contract: 20_000,
};

/** The gap between requests after the first 429. */
const firstGapMs = 100;
/** The maximum gap between requests. */
const maxGapMs = 5_000;
/** Each successful request reduces the gap by this factor. */
const recovery = 0.95;
/** A smaller gap is set to 0. */
const minGapMs = 10;
/** The API may request a longer pause from one caller. The other callers wait at most this long. */
const longestRequestedMs = 60_000;

/**
 * Limits the request rate of the process. A 429 slows down all callers, and successful requests restore the rate step
 * by step.
 */
export class RateLimiter {
    private gapMs = 0;
    private nextAt = 0;
    /** The number of requests so far, which is the number of the last one. */
    private permitted = 0;
    /** The last request before the rate was reduced. Its result and earlier ones do not count for the new rate. */
    private slowedAfter = 0;
    private last: Promise<void> = Promise.resolve();

    constructor(private readonly clock: Clock) {}

    /** Resolves when the caller may send its request, with the number of this request. Callers are served in order. */
    async acquire(signal?: AbortSignal): Promise<number> {
        // A caller that was aborted leaves the queue when its turn comes.
        const turn = this.last.then(() => this.pause(signal));
        this.last = turn.catch(() => undefined);
        await turn;
        return (this.permitted += 1);
    }

    /** The request with this number failed with 429. */
    rateLimited(request: number, retryAfterMs: number | undefined): void {
        if (request > this.slowedAfter) {
            this.gapMs = Math.min(Math.max(this.gapMs * 2, firstGapMs), maxGapMs);
            this.slowedAfter = this.permitted;
        }
        const pauseMs = Math.min(Math.max(retryAfterMs ?? 0, this.gapMs), longestRequestedMs);
        this.nextAt = Math.max(this.nextAt, this.clock.now() + pauseMs);
    }

    /** The request with this number succeeded. */
    accepted(request: number): void {
        if (request > this.slowedAfter) {
            const gap = this.gapMs * recovery;
            this.gapMs = gap < minGapMs ? 0 : gap;
        }
    }

    private async pause(signal: AbortSignal | undefined): Promise<void> {
        signal?.throwIfAborted();
        // A 429 may arrive during the sleep and postpone the next request.
        for (let now = this.clock.now(); now < this.nextAt; now = this.clock.now()) {
            await this.clock.sleep(this.nextAt - now, signal);
        }
        this.nextAt = this.clock.now() + this.gapMs;
    }
}
