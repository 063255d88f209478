import type { CallOptions } from "../api/client";
import type { CloudDbError } from "../api/callErrors";
import { DeadlineError, failureInRow, partsOf, CallError } from "../api/callErrors";
import { pauseOf, requestedMsOf } from "../api/retry";
import type { AnyOperation } from "../model/operation";
import { pollIntervalAt } from "../observe/schedule";
import { waitTimeout } from "../observe/wait";
import { callOptions, progressReporter, type Progress } from "../observe/progress";
import { nextAttempt } from "./cases";
import type { Accepting, FailedAttempt, LockScope, Rejecting, RetryPolicy } from "./cases";
import { untilDeadline } from "../api/clock";

/** One change of the API: what to observe before it, the request, and its effect. */
interface Action extends RetryPolicy {
    /** Observes before the first request, and waits until the API should accept it. Fails if it never would. */
    readonly first: () => Promise<Done | Accepting>;
    /** Observes after a failed request: whether it is not needed any more, can be sent again, or would be rejected again. */
    readonly afterFailure: (failure: CallError) => Promise<Done | Accepting | Rejecting>;
    /** Sends the request, once the lock is held. */
    readonly send: (options: CallOptions) => Promise<unknown>;
    /** Waits for the effect of an accepted request. Returns the result. */
    readonly effect: (response: unknown) => Promise<unknown>;
}

/** A read shows that the request is not needed. */
export interface Done {
    readonly verdict: "done";
    readonly result: unknown;
}

/**
 * Observes, acts, and observes again until the request has its effect. It holds the lock from the request to the effect,
 * and releases it after each failure, because another change of the same resource may be the cause.
 */
export async function reconcile(action: Action, operation: AnyOperation): Promise<unknown> {
    const { subject, context, activity } = operation;
    const { clock } = context;
    const lock = new Lock(action.locks, operation);
    const run = { operation, report: progressReporter(operation), beganAt: clock.now() };
    let failed: FailedAttempt | undefined;
    try {
        let decision: Done | Accepting | Rejecting = await action.first();
        while (decision.verdict !== "done") {
            // While a read shows that the API would reject the request, nothing is sent. `first` never says that.
            if (failed === undefined || decision.verdict === "send") {
                await lock.acquire();
                if (failed === undefined) {
                    context.showRow(activity());
                }
                const response = await action.send(callOptions(context)).catch((error: unknown) => {
                    if (!(error instanceof CallError)) {
                        throw error;
                    }
                    return error;
                });
                if (!(response instanceof CallError)) {
                    lock.accepted();
                    return await action.effect(response);
                }
                lock.release();
                failed = nextAttempt(failed, {
                    request: action,
                    failure: response,
                    observation: decision,
                    requestedMs: requestedMsOf(response),
                });
            }
            if (failed.rule.fails !== undefined && leftMs(failed) <= 0) {
                throw failed.rule.fails.with(failed, subject);
            }
            const paused = await showAndPause(run, failed);
            decision = await action.afterFailure(paused.failure).catch((error: unknown): never => {
                throw error instanceof DeadlineError ? timeout(run, paused) : error;
            });
            if (decision.verdict === "done") {
                return decision.result;
            }
            failed = nextAttempt(paused, { ...paused, observation: decision });
        }
        return decision.result;
    } finally {
        lock.release();
    }
}

/** How long the request is still repeated. At the end it is sent once more, unless a read shows that the API would reject it. */
const leftMs = ({ rule, pausedMs }: FailedAttempt): number => (rule.fails?.afterMs ?? Infinity) - pausedMs;

/** What all attempts to send one request have in common. */
interface Run {
    readonly operation: AnyOperation;
    readonly report: (progress: Progress) => void;
    readonly beganAt: number;
}

/** Shows what the request waits for, and pauses before the next observation. */
async function showAndPause({ operation, report, beganAt }: Run, attempt: FailedAttempt): Promise<FailedAttempt> {
    const { rule, count, pausedMs, requestedMs } = attempt;
    const { clock, lists, deadlineAt, signal } = operation.context;
    const elapsedMs = clock.now() - beganAt;
    report({ ...rule.shows(attempt), elapsedMs });
    const own = rule.pause === "poll" ? lists.untilTick(pollIntervalAt(elapsedMs)) : rule.pause(count);
    const { ms, ruleMs } = pauseOf(own, leftMs(attempt), requestedMs);
    await clock.sleep(Math.max(Math.min(ms, deadlineAt - clock.now()), 0), signal);
    return { ...attempt, count: count + 1, pausedMs: pausedMs + ruleMs, requestedMs: 0 };
}

function timeout({ operation: { subject, context }, beganAt }: Run, attempt: FailedAttempt): CloudDbError {
    const { failure } = attempt;
    const { status } = attempt.rule.shows(attempt);
    const last = status === undefined ? failureInRow(failure) : `${failure.operation} ${status}`;
    const waitedMs = context.clock.now() - beganAt;
    const { details } = partsOf(failure);
    return waitTimeout(subject, last, waitedMs, waitedMs, context.timeoutSetting, { details });
}

const waitsForLock = "waiting for another change of the service";

/** The lock of a change, which it may release and acquire again. Does nothing if the change needs none. */
class Lock {
    private releaseHeld: (() => void) | undefined;

    constructor(
        private readonly locked: LockScope | undefined,
        private readonly holder: AnyOperation,
    ) {}

    /** Waits for the lock, unless it is held. Times out at the deadline of the operation. */
    async acquire(): Promise<void> {
        if (this.locked !== undefined) {
            const { locks } = this.holder.context;
            this.releaseHeld ??= await locks.acquire(this.locked.id, (free) => this.inQueue(free));
        }
    }

    /** The API has accepted the request. */
    accepted(): void {
        if (this.locked?.until === "response") {
            this.release();
        }
    }

    release(): void {
        this.releaseHeld?.();
        this.releaseHeld = undefined;
    }

    private async inQueue(free: Promise<unknown>): Promise<void> {
        const { subject, activity, context } = this.holder;
        const { clock } = context;
        const beganAt = clock.now();
        const timedOut = () => {
            const waitedMs = clock.now() - beganAt;
            return waitTimeout(subject, waitsForLock, waitedMs, waitedMs, context.timeoutSetting);
        };
        context.showRow(activity(waitsForLock));
        await untilDeadline(context, clock, timedOut, () => free);
        context.showRow(activity());
    }
}
