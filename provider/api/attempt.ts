import type { Clock } from "./clock";
import { untilDeadline, type Deadline } from "./deadline";
import { DeadlineError, isRateLimited } from "./errors";
import type { Limiter } from "./limiter";
import type { Retry } from "./retry";

/** The caller is notified of an attempt that takes longer than this. */
const slowMs = 2_000;

/** How each attempt to send a request is made. */
export interface AttemptOptions extends Deadline {
    /** The operation, for messages. */
    readonly operation: string;
    readonly clock: Clock;
    readonly limiter: Limiter;
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
    const timedOut = () => (isLate ? late(operation, last) : rateLimitedUntilDeadline(operation));
    try {
        const slot = await untilDeadline(options, clock, timedOut, (turn) => limiter.acquire(turn));
        waitsFor = `the response to ${operation}`;
        try {
            const response = await send();
            limiter.accepted(slot);
            return response;
        } catch (error) {
            if (isRateLimited(error)) {
                limiter.rateLimited(slot, error.retryAfterMs);
            }
            throw error;
        }
    } finally {
        stop?.();
    }
}

/** The deadline has passed before the request could be sent, or sent again. */
function late(operation: string, last: Retry | undefined): DeadlineError {
    return last === undefined
        ? new DeadlineError(`${operation} was not sent, because the time limit had passed.`)
        : DeadlineError.after(last.failure);
}

function rateLimitedUntilDeadline(operation: string): DeadlineError {
    return new DeadlineError(
        `${operation} was not sent within the time limit, because the API limits the rate of requests (429). ` +
            `Lower the parallelism or try again later.`,
    );
}
