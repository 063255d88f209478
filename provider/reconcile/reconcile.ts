import type { CallOptions } from "../api/client";
import { DeadlineError, inRow, isConflict, partsOf } from "../api/callErrors";
import { Failures } from "../api/retry";
import type { Target } from "../model/resource";
import { WaitTimeoutError } from "../observe/wait";
import { callOptions, progressReporter, type Progress } from "../observe/progress";
import { nextPoll } from "../observe/schedule";
import {
    failedRequest,
    FailedRequest,
    next,
    type Accepting,
    type Attempt,
    type Blocked,
    type Repeatable,
} from "./cases";
import { Lock } from "./lock";

/** One change of the API: what to observe before it, the request, and its effect. */
export interface Action extends Repeatable {
    /** Observes before the first request, and waits until the API should accept it. Fails if it never would. */
    readonly first: () => Promise<Done | Accepting>;
    /** Observes after a failed request: whether it is not needed any more, can be sent again, or would be rejected again. */
    readonly afterFailure: (failed: FailedRequest) => Promise<Done | Accepting | Blocked>;
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

/** What a request changes, and what it may use. */
type Reconciled = Pick<Target, "subject" | "context" | "activity">;

/**
 * Observes, acts, and observes again until the request has its effect. It holds the lock from the request to the effect,
 * and releases it after each failure, because another change of the same resource may be the cause.
 */
export async function reconcile(action: Action, target: Reconciled): Promise<unknown> {
    const { context, activity } = target;
    const lock = new Lock(action.locks, target);
    const failures = new Failures(context.clock, context.random);
    const run = { action, target, report: progressReporter(target), beganAt: context.clock.now() };
    try {
        let decision = await action.first();
        let attempt: Attempt | undefined;
        while (decision.verdict === "send") {
            await lock.acquire();
            if (attempt === undefined) {
                context.status(activity());
            }
            const response = await action
                .send(callOptions(context))
                .catch((error: unknown) => failedRequest(error, failures.reactionTo(error), action));
            if (!(response instanceof FailedRequest)) {
                lock.accepted();
                return await action.effect(response);
            }
            lock.release();
            ({ attempt, decision } = await observe(run, next(attempt, response, decision)));
        }
        return decision.result;
    } finally {
        lock.release();
    }
}

/** What all attempts to send one request have in common. */
interface Run {
    readonly action: Action;
    readonly target: Reconciled;
    readonly report: (progress: Progress) => void;
    readonly beganAt: number;
}

/** Pauses and observes until the request can be sent again or is not needed. Fails once it has been repeated enough. */
async function observe(run: Run, failed: Attempt): Promise<{ attempt: Attempt; decision: Done | Accepting }> {
    const { action, target } = run;
    const { clock, deadlineAt } = target.context;
    const paused = await pause(run, failed);
    const decision = await action.afterFailure(paused.failed).catch((error: unknown): never => {
        throw error instanceof DeadlineError ? timeout(run, paused) : error;
    });
    if (decision.verdict === "done") {
        return { attempt: paused, decision };
    }
    const attempt = next(paused, paused.failed, decision);
    if (clock.now() >= deadlineAt) {
        throw timeout(run, attempt);
    }
    const { fails } = attempt.rule;
    if (fails !== undefined && attempt.pausedMs >= fails.afterMs) {
        throw fails.with(attempt, target.subject);
    }
    return decision.verdict === "blocked" ? observe(run, attempt) : { attempt, decision };
}

/** Shows what the request waits for, and pauses before the next observation. */
async function pause({ target, report, beganAt }: Run, attempt: Attempt): Promise<Attempt> {
    const { failed, rule, count, pausedMs } = attempt;
    const { clock, random, deadlineAt, signal } = target.context;
    const elapsedMs = clock.now() - beganAt;
    report({ ...rule.shows(attempt), elapsedMs, deadlineAt });
    const requestedMs = isConflict(failed.failure) ? failed.failure.retryAfterMs : undefined;
    const pauseMs = rule.pause === "poll" ? nextPoll(elapsedMs, random()) : (requestedMs ?? rule.pause(count));
    await clock.sleep(Math.max(Math.min(pauseMs, deadlineAt - clock.now()), 0), signal);
    return { ...attempt, count: count + 1, pausedMs: pausedMs + pauseMs };
}

function timeout({ target: { subject, context }, beganAt }: Run, attempt: Attempt): WaitTimeoutError {
    const { failure } = attempt.failed;
    const { status } = attempt.rule.shows(attempt);
    const last = status === undefined ? inRow(failure) : `${failure.operation} ${status}`;
    const waitedMs = context.clock.now() - beganAt;
    const { details } = partsOf(failure);
    return new WaitTimeoutError(subject, last, waitedMs, waitedMs, context.timeoutSetting, { details });
}
