import type { CallOptions } from "../api/client";
import {
    apiMessageIn,
    DeadlineError,
    inRow,
    isServerError,
    partsOf,
    removeTheCause,
    RequestedPauseError,
    type CallFailure,
} from "../api/errors";
import type { Message, WayOut } from "../inputs/message";
import { RetryPolicy, type Method, type Reaction } from "../api/retry";
import { keepsFailing, requestRejected } from "./errors";
import { callOptions, progressReporter, type Progress } from "../observe/progress";
import type { Operation } from "../contract/resource";
import { WaitTimeoutError } from "../observe/errors";
import { blockedWithinMs, failedWithinMs, nextPoll, rejectedWithinMs, rejectionPauseMs } from "../observe/schedule";
import { Lock, type Locked } from "./lock";

/** One change of the API: what to observe before it, the request, and its effect. */
export interface Action<Response, Result> {
    readonly method: Exclude<Method, "GET">;
    /** What the request changes. Absent if it needs no lock. */
    readonly locks?: Locked | undefined;
    /**
     * Reads, and waits as long as a read shows that the API would reject the request. Fails if it always would. Receives the
     * failure of the last request, which is undefined before the first one.
     */
    readonly observe: (failure: CallFailure | undefined) => Promise<Decision<Result>>;
    readonly send: (options: CallOptions) => Promise<Response>;
    /** Waits for the effect of an accepted request. */
    readonly effect: (response: Response) => Promise<Result>;
    /** Whether a rejection because of the state of a resource is final, because no other resource is involved. */
    readonly isConflictFinal?: boolean;
    /** Why the request fails, although the same failure of another request is final. It is then rejected without a reason. */
    readonly doubt?: (failure: unknown) => Message | undefined;
}

/** What an observation leads to. */
export type Decision<Result> =
    /** The request is not needed. */
    | { readonly kind: "done"; readonly result: Result }
    | Acceptance
    /** The API would reject the request. */
    | {
          readonly kind: "blocked";
          readonly reason: string;
          readonly ways?: readonly WayOut[];
          readonly isTransient: boolean;
      };

/** The API should accept the request. */
export interface Acceptance {
    readonly kind: "send";
    /** Whether the observation had to wait: it explains the last rejection. */
    readonly hasWaited?: boolean;
    /** Why the API may reject the request for a long time, although no read shows it. */
    readonly mayReject?: string | undefined;
}

export const send: Acceptance = { kind: "send" };

/** An operation that reconciles. */
type Reconciled = Pick<Operation, "subject" | "context" | "activity">;

/**
 * Observes, acts, and observes again until the request has its effect. It holds the lock from the request to the effect,
 * and releases it after each failure, because another change of the same resource may be the cause.
 */
export async function reconcile<Response, Result>(
    action: Action<Response, Result>,
    operation: Reconciled,
): Promise<Result> {
    const lock = new Lock(action.locks, operation);
    const attempts = new Attempts(action, operation);
    try {
        for (;;) {
            const decision = await attempts.observe();
            if (decision.kind === "done") {
                return decision.result;
            }
            if (decision.kind === "send") {
                await lock.acquire();
                const accepted = await attempts.send();
                if (accepted !== undefined) {
                    lock.accepted();
                    return await action.effect(accepted.response);
                }
                lock.release();
            }
            await attempts.pause();
        }
    } finally {
        lock.release();
    }
}

/** The attempts to send one request: what was observed before each, how it failed, and the pauses between them. */
class Attempts<Response, Result> {
    private readonly policy: RetryPolicy;
    private readonly report: ReturnType<typeof progressReporter>;
    private readonly beganAt: number;
    private last: { readonly failure: CallFailure; readonly reaction: Reaction; readonly doubt?: Message } | undefined;
    private decision: Decision<Result> = send;
    /** The failures in a row that no observation explains, and the time that the pauses after them took. */
    private unexplained = 0;
    private unexplainedMs = 0;

    constructor(
        private readonly action: Action<Response, Result>,
        private readonly operation: Reconciled,
    ) {
        this.policy = new RetryPolicy(action.method);
        this.report = progressReporter(operation);
        this.beganAt = operation.context.clock.now();
    }

    /** Observes before the next request. */
    async observe(): Promise<Decision<Result>> {
        const { action, last } = this;
        const { clock, deadlineAt } = this.operation.context;
        const decision = await action.observe(last?.failure).catch((error: unknown): never => {
            const isTimeout = error instanceof DeadlineError && !(error instanceof RequestedPauseError);
            throw last !== undefined && isTimeout ? this.timeout() : error;
        });
        this.decision = decision;
        if (decision.kind === "done" || last === undefined) {
            return decision;
        }
        if (clock.now() >= deadlineAt) {
            throw this.timeout();
        }
        // Fails much sooner than at the deadline, because the obstacle does not disappear by itself.
        const { subject } = this.operation;
        if (isServerError(last.failure)) {
            if (this.unexplainedMs >= failedWithinMs) {
                throw keepsFailing(subject, last.failure, this.unexplained, this.unexplainedMs);
            }
            return decision;
        }
        if (decision.kind === "send" && decision.hasWaited) {
            this.unexplained = 0;
        }
        if (this.isExplained(decision)) {
            this.unexplainedMs = 0;
        } else if (this.unexplainedMs >= (decision.kind === "blocked" ? blockedWithinMs : rejectedWithinMs)) {
            throw requestRejected(subject, last.failure.operation, this.reason(last), last.failure);
        }
        return decision;
    }

    /** Sends the request. Undefined if it failed, and the resource has to be observed again. */
    async send(): Promise<{ readonly response: Response } | undefined> {
        const { action, policy } = this;
        const { context, activity } = this.operation;
        if (this.last === undefined) {
            context.status(activity());
        }
        try {
            return { response: await action.send(callOptions(context)) };
        } catch (error) {
            const reaction = policy.reactionTo(error, context.clock.now());
            const doubt = action.doubt?.(error);
            // The client has repeated a failure with the reaction "repeat" for as long as it may.
            const isRead = reaction === "readFirst" || (reaction === "wait" && !action.isConflictFinal);
            if (doubt === undefined && !isRead) {
                throw error;
            }
            if (isServerError(error) !== isServerError(this.last?.failure)) {
                [this.unexplained, this.unexplainedMs] = [0, 0];
            }
            this.last = { failure: error as CallFailure, reaction, ...(doubt === undefined ? {} : { doubt }) };
            return undefined;
        }
    }

    /** Shows what the request waits for, and pauses before the next observation. */
    async pause(): Promise<void> {
        const { clock, random, deadlineAt, signal } = this.operation.context;
        const elapsedMs = clock.now() - this.beganAt;
        this.report({ ...this.progress, elapsedMs, deadlineAt });
        const isAnswered = this.decision.kind === "send" && (!this.isLost || isServerError(this.last?.failure));
        const pauseMs = isAnswered ? rejectionPauseMs(this.unexplained++) : nextPoll(elapsedMs, random());
        await clock.sleep(Math.max(Math.min(pauseMs, deadlineAt - clock.now()), 0), signal);
        // Only pauses count, not the time in the queue for the lock.
        this.unexplainedMs += pauseMs;
    }

    /** Whether the API may have processed the last request without a valid response. */
    private get isLost(): boolean {
        return this.last?.reaction === "readFirst" && this.last.doubt === undefined;
    }

    private isExplained(decision: Exclude<Decision<Result>, { readonly kind: "done" }>): boolean {
        if (decision.kind === "blocked") {
            return decision.isTransient;
        }
        return this.isLost || decision.hasWaited === true || decision.mayReject !== undefined;
    }

    /** How the last request failed, and why the API rejected it. */
    private get progress(): Pick<Progress, "status" | "failure"> {
        const { decision, last } = this;
        if (decision.kind !== "blocked" && (this.isLost || last?.doubt !== undefined)) {
            return { failure: last?.failure };
        }
        const observed =
            decision.kind === "blocked" ? decision.reason : decision.kind === "send" ? decision.mayReject : undefined;
        const reason = (observed ?? apiMessageIn(last?.failure))?.replace(/\.$/, "");
        return { status: reason === undefined ? "rejected, busy" : `rejected (${reason})` };
    }

    private reason({ failure, doubt }: { readonly failure: CallFailure; readonly doubt?: Message }): Message {
        const { decision } = this;
        if (decision.kind === "blocked") {
            return { what: decision.reason, ways: decision.ways ?? [] };
        }
        return doubt ?? { what: apiMessageIn(failure) ?? "the API gave no reason", ways: [removeTheCause] };
    }

    private timeout(): WaitTimeoutError {
        const { subject, context } = this.operation;
        const waitedMs = context.clock.now() - this.beganAt;
        const { status, failure } = this.progress;
        const last = status === undefined ? inRow(failure) : `${this.last?.failure.operation ?? ""} ${status}`.trim();
        const { details } = partsOf(this.last?.failure);
        return new WaitTimeoutError(subject, last, waitedMs, waitedMs, context.timeoutSetting, { details });
    }
}
