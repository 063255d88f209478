import type { CallOptions } from "../api/client";
import { removeTheCause } from "../api/callAdvice";
import {
    apiMessageIn,
    DeadlineError,
    inRow,
    isConflict,
    isServerError,
    mayHaveTakenEffect,
    partsOf,
    type CallFailure,
} from "../api/callErrors";
import { Failures, type Method } from "../api/retry";
import type { Target } from "../contract/resource";
import type { Message, WayOut } from "../inputs/message";
import { WaitTimeoutError } from "../observe/waitErrors";
import { callOptions, progressReporter, type Progress } from "../observe/progress";
import { blockedWithinMs, failedWithinMs, nextPoll, rejectedWithinMs, rejectionPauseMs } from "../observe/schedule";
import { keepsFailing, requestRejected } from "./rejections";
import { Lock, type Locked } from "./lock";

/** One change of the API: what to observe before it, the request, and its effect. */
export interface Action<Seen, Response, Result> {
    readonly method: Exclude<Method, "GET">;
    /** What the request changes. Absent if it needs no lock. */
    readonly locks?: Locked | undefined;
    /**
     * Reads, and waits as long as a read shows that the API would reject the request. Fails if it always would. Receives the
     * failure of the last request and what was seen before it, which are undefined before the first one.
     */
    readonly decide: (failure: CallFailure | undefined, seen: Seen | undefined) => Promise<Decision<Seen, Result>>;
    /** Reads, once the lock is held, what must not be older than the request. By default, the decision has read it. */
    readonly observe?: () => Promise<Seen>;
    readonly send: (options: CallOptions, seen: Seen) => Promise<Response>;
    /** Waits for the effect of an accepted request. */
    readonly effect: (response: Response) => Promise<Result>;
    /** Whether a rejection because of the state of a resource is final, because no other resource is involved. */
    readonly isConflictFinal?: boolean;
    /** How long a rejection because of the state of a resource is retried if no read shows the reason. */
    readonly rejectedWithinMs?: number | undefined;
    /** Why the request fails, although the same failure of another request is final. It is then rejected without a reason. */
    readonly doubt?: (failure: unknown) => Message | undefined;
    /** The error if the run is cancelled while the API may have carried out a request. By default, that of the cancellation. */
    readonly whenCancelled?: (error: unknown) => Error;
}

/** What an observation leads to. */
export type Decision<Seen, Result> =
    /** The request is not needed. */
    { readonly kind: "done"; readonly result: Result } | Needed<Seen>;

/** The request is needed. */
type Needed<Seen> =
    /** The API should accept the request. */
    | ({ readonly kind: "send"; readonly seen: Seen } & Acceptance)
    /** The API would reject the request. */
    | {
          readonly kind: "blocked";
          readonly reason: string;
          readonly ways?: readonly WayOut[];
          readonly isTransient: boolean;
      };

/** How the API came to accept a request. */
export interface Acceptance {
    /** Whether the observation had to wait: it explains the last rejection. */
    readonly hasWaited?: boolean;
    /** Why the API may reject the request for a long time, although no read shows it. */
    readonly mayReject?: string | undefined;
}

/** What a request changes, and what it may use. */
type Reconciled = Pick<Target, "subject" | "context" | "activity">;

/**
 * Observes, acts, and observes again until the request has its effect. It holds the lock from the request to the effect,
 * and releases it after each failure, because another change of the same resource may be the cause.
 */
export async function reconcile<Seen, Response, Result>(
    action: Action<Seen, Response, Result>,
    target: Reconciled,
): Promise<Result> {
    const lock = new Lock(action.locks, target);
    const attempts = new Attempts(action, target);
    try {
        for (;;) {
            const decision = await attempts.decide();
            if (decision.kind === "done") {
                return decision.result;
            }
            if (decision.kind === "send") {
                await lock.acquire();
                const accepted = await attempts.send(decision.seen);
                if (accepted !== undefined) {
                    lock.accepted();
                    return await action.effect(accepted.response);
                }
                lock.release();
            }
            await attempts.pause();
        }
    } catch (error) {
        throw attempts.isUnanswered && target.context.signal?.aborted
            ? (action.whenCancelled?.(error) ?? error)
            : error;
    } finally {
        lock.release();
    }
}

/** A failed request. */
interface Failed {
    readonly failure: CallFailure;
    /** What the failure says: the API reports an error of its own, there is no response, or it does not accept the request. */
    readonly meaning: "fault" | "lost" | "rejected";
    readonly doubt: Message | undefined;
}

/** The attempts to send one request: what was observed before each, how it failed, and the pauses between them. */
class Attempts<Seen, Response, Result> {
    private readonly failures: Failures;
    private readonly report: ReturnType<typeof progressReporter>;
    private readonly beganAt: number;
    private last: Failed | undefined;
    private decision: Needed<Seen> | undefined;
    private seen: Seen | undefined;
    /** The failures in a row that no observation explains, and the pauses after them. */
    private repeated = { count: 0, ms: 0 };
    /** Whether the API may have carried out a request whose response was not received. */
    isUnanswered = false;

    constructor(
        private readonly action: Action<Seen, Response, Result>,
        private readonly target: Reconciled,
    ) {
        const { clock, random } = target.context;
        this.failures = new Failures(action.method, clock, random);
        this.report = progressReporter(target);
        this.beganAt = clock.now();
    }

    /** Observes before the next request. Fails if the last one has been repeated for as long as it may. */
    async decide(): Promise<Decision<Seen, Result>> {
        const { last } = this;
        const { clock, deadlineAt } = this.target.context;
        const decision = await this.action.decide(last?.failure, this.seen).catch((error: unknown): never => {
            throw last !== undefined && error instanceof DeadlineError ? this.timeout() : error;
        });
        if (decision.kind === "done") {
            return decision;
        }
        this.decision = decision;
        this.seen = decision.kind === "send" ? decision.seen : this.seen;
        if (last === undefined) {
            return decision;
        }
        if (clock.now() >= deadlineAt) {
            throw this.timeout();
        }
        // Fails much sooner than at the deadline if the obstacle does not disappear by itself.
        const limitMs = limitOf(last, decision, this.action.rejectedWithinMs);
        if (this.repeated.ms >= limitMs) {
            throw this.givenUp(last);
        }
        if (limitMs === Infinity) {
            const mayLast = decision.kind === "send" && decision.mayReject !== undefined;
            this.repeated = { count: mayLast ? this.repeated.count : 0, ms: 0 };
        }
        return decision;
    }

    /** Sends the request. Undefined if it failed, and the resource has to be observed again. */
    async send(decided: Seen): Promise<{ readonly response: Response } | undefined> {
        const { action, failures, last } = this;
        const seen = action.observe === undefined ? decided : await action.observe();
        this.seen = seen;
        const { context, activity } = this.target;
        if (last === undefined) {
            context.status(activity());
        }
        this.isUnanswered = true;
        try {
            const response = await action.send(callOptions(context), seen);
            this.isUnanswered = false;
            return { response };
        } catch (error) {
            this.isUnanswered = mayHaveTakenEffect(error);
            const reaction = failures.reactionTo(error);
            const doubt = action.doubt?.(error);
            // The client has repeated a failure with the reaction "repeat" for as long as it may.
            const isRead = reaction === "readFirst" || (reaction === "wait" && !action.isConflictFinal);
            if (doubt === undefined && !isRead) {
                throw error;
            }
            const isLost = reaction === "readFirst" && doubt === undefined;
            const meaning = isServerError(error) ? "fault" : isLost ? "lost" : "rejected";
            if ((meaning === "fault") !== (last?.meaning === "fault")) {
                this.repeated = { count: 0, ms: 0 };
            }
            this.last = { failure: error as CallFailure, meaning, doubt };
            return undefined;
        }
    }

    /** Shows what the request waits for, and pauses before the next observation. */
    async pause(): Promise<void> {
        const { clock, random, deadlineAt, signal } = this.target.context;
        const elapsedMs = clock.now() - this.beganAt;
        this.report({ ...this.progress, elapsedMs, deadlineAt });
        const isAnswered = this.decision?.kind === "send" && this.last?.meaning !== "lost";
        const failure = this.last?.failure;
        const requestedMs = isConflict(failure) ? failure.retryAfterMs : undefined;
        const pauseMs = isAnswered
            ? (requestedMs ?? rejectionPauseMs(this.repeated.count))
            : nextPoll(elapsedMs, random());
        await clock.sleep(Math.max(Math.min(pauseMs, deadlineAt - clock.now()), 0), signal);
        // Only pauses count, not the time in the queue for the lock.
        this.repeated = { count: this.repeated.count + (isAnswered ? 1 : 0), ms: this.repeated.ms + pauseMs };
    }

    /** How the last request failed, and why the API rejected it. */
    private get progress(): Pick<Progress, "status" | "failure"> {
        const { decision, last } = this;
        if (decision?.kind === "send" && (last?.meaning !== "rejected" || last.doubt !== undefined)) {
            return { failure: last?.failure };
        }
        const observed = decision?.kind === "blocked" ? decision.reason : decision?.mayReject;
        const reason = (observed ?? apiMessageIn(last?.failure))?.replace(/\.$/, "");
        return { status: reason === undefined ? "rejected, busy" : `rejected (${reason})` };
    }

    /** The same failure has been repeated for as long as it may. */
    private givenUp({ failure, meaning, doubt }: Failed): Error {
        const { subject } = this.target;
        const { count, ms } = this.repeated;
        if (meaning === "fault") {
            return keepsFailing(subject, failure, count, ms);
        }
        const { decision } = this;
        const reason =
            decision?.kind === "blocked"
                ? { what: decision.reason, ways: decision.ways ?? [] }
                : (doubt ?? { what: apiMessageIn(failure) ?? "the API gave no reason", ways: [removeTheCause] });
        return requestRejected(subject, failure.operation, reason, failure);
    }

    private timeout(): WaitTimeoutError {
        const { subject, context } = this.target;
        const waitedMs = context.clock.now() - this.beganAt;
        const { status, failure } = this.progress;
        const last = status === undefined ? inRow(failure) : `${this.last?.failure.operation ?? ""} ${status}`.trim();
        const { details } = partsOf(this.last?.failure);
        return new WaitTimeoutError(subject, last, waitedMs, waitedMs, context.timeoutSetting, { details });
    }
}

/** How long the same failure is repeated, if the deadline does not come first. */
function limitOf({ meaning, failure }: Failed, decision: Needed<unknown>, conflictWithinMs = rejectedWithinMs): number {
    if (meaning === "fault") {
        return failedWithinMs;
    }
    if (decision.kind === "blocked") {
        return decision.isTransient ? Infinity : blockedWithinMs;
    }
    const isExplained = meaning === "lost" || decision.hasWaited === true || decision.mayReject !== undefined;
    return isExplained ? Infinity : isConflict(failure) ? conflictWithinMs : rejectedWithinMs;
}
