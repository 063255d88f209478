import type { CallOptions } from "../api/client";
import { DeadlineError, inRow, isConflict, partsOf } from "../api/callErrors";
import { Failures } from "../api/retry";
import type { Target } from "../contract/resource";
import { WaitTimeoutError } from "../observe/waitErrors";
import { callOptions, progressReporter } from "../observe/progress";
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
    /** The same after a failed request. */
    readonly again: (failed: FailedRequest) => Promise<Done | Accepting | Blocked>;
    /** Sends the request, once the lock is held. */
    readonly send: (options: CallOptions) => Promise<unknown>;
    /** Waits for the effect of an accepted request. Returns the result. */
    readonly effect: (response: unknown) => Promise<unknown>;
}

/** A read shows that the request is not needed. */
export interface Done {
    readonly kind: "done";
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
    const observer = new Observer(action, target);
    try {
        let decision = await action.first();
        let attempt: Attempt | undefined;
        while (decision.kind === "send") {
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
            ({ attempt, decision } = await observer.observe(next(attempt, response, decision, action)));
        }
        return decision.result;
    } finally {
        lock.release();
    }
}

/** Observes between the attempts to send one request. */
class Observer {
    private readonly report: ReturnType<typeof progressReporter>;
    private readonly beganAt: number;

    constructor(
        private readonly action: Action,
        private readonly target: Reconciled,
    ) {
        this.report = progressReporter(target);
        this.beganAt = target.context.clock.now();
    }

    /** Pauses and observes until the request can be sent again or is not needed. Fails once it has been repeated enough. */
    async observe(failed: Attempt): Promise<{ readonly attempt: Attempt; readonly decision: Done | Accepting }> {
        const { action, target } = this;
        const { clock, deadlineAt } = target.context;
        const paused = await this.pause(failed);
        const decision = await action.again(paused.failed).catch((error: unknown): never => {
            throw error instanceof DeadlineError ? this.timeout(paused) : error;
        });
        if (decision.kind === "done") {
            return { attempt: paused, decision };
        }
        const attempt = next(paused, paused.failed, decision, action);
        if (clock.now() >= deadlineAt) {
            throw this.timeout(attempt);
        }
        const { fails } = attempt.rule;
        if (fails !== undefined && attempt.pausedMs >= fails.afterMs) {
            throw fails.with(attempt, target.subject, action);
        }
        return decision.kind === "blocked" ? this.observe(attempt) : { attempt, decision };
    }

    /** Shows what the request waits for, and pauses before the next observation. */
    private async pause(attempt: Attempt): Promise<Attempt> {
        const { failed, rule, count, pausedMs } = attempt;
        const { clock, random, deadlineAt, signal } = this.target.context;
        const elapsedMs = clock.now() - this.beganAt;
        this.report({ ...rule.shows(attempt), elapsedMs, deadlineAt });
        const requestedMs = isConflict(failed.failure) ? failed.failure.retryAfterMs : undefined;
        const pauseMs = rule.pause === "poll" ? nextPoll(elapsedMs, random()) : (requestedMs ?? rule.pause(count));
        await clock.sleep(Math.max(Math.min(pauseMs, deadlineAt - clock.now()), 0), signal);
        return { ...attempt, count: count + 1, pausedMs: pausedMs + pauseMs };
    }

    private timeout(attempt: Attempt): WaitTimeoutError {
        const { subject, context } = this.target;
        const { failure } = attempt.failed;
        const { status } = attempt.rule.shows(attempt);
        const last = status === undefined ? inRow(failure) : `${failure.operation} ${status}`;
        const waitedMs = context.clock.now() - this.beganAt;
        const { details } = partsOf(failure);
        return new WaitTimeoutError(subject, last, waitedMs, waitedMs, context.timeoutSetting, { details });
    }
}
