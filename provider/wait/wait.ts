import { inBrief, messageOf } from "../api/errors";
import { maxPauseAfter, RetryPolicy } from "../api/retryPolicy";
import { WaitFailedError, WaitGoneError, WaitTimeoutError } from "./errors";
import type { Outcome } from "./outcome";
import type { Source } from "./listing";
import type { Found } from "./poller";
import {
    appearsWithinMs,
    flickersWithinMs,
    lastPollMs,
    notFoundsThatMeanGone,
    notFoundPollMs,
    nextPoll,
} from "./schedule";
import { watchUntil, type End, type EndingWatcher, type WaitContext } from "./watch";

/** The progress of a wait, as shown to the user. */
export interface Progress {
    readonly status: string;
    readonly detail?: string | undefined;
    readonly elapsedMs: number;
    readonly deadlineAt: number;
}

/** The parameters of a wait. */
export interface Wait<T> {
    /** The resource as named in errors, for example `Service "orders"`. */
    readonly subject: string;
    readonly source: Source<T>;
    readonly id: string;
    /** Whether the deletion of the resource ends the wait successfully or as a failure. */
    readonly until: "ready" | "gone";
    /** Evaluates a poll. A wait until `gone` must not return ready. */
    readonly evaluate: (item: T) => Outcome;
    /** When the wait times out. */
    readonly deadlineAt: number;
    /** The setting for the time limit. */
    readonly setting: string;
    readonly signal?: AbortSignal | undefined;
    /** Called with the item after each poll that returns it, even if that ends the wait. */
    readonly onSeen?: ((item: T) => void) | undefined;
    /** Called after each poll that does not end the wait. */
    readonly onPoll?: ((progress: Progress) => void) | undefined;
}

/** Resolves with the item when it is ready, or with undefined when it is deleted in a wait until `gone`. */
export function waitFor<T>(wait: Wait<T>, context: WaitContext): Promise<T | undefined> {
    const { source, deadlineAt, signal } = wait;
    return watchUntil(source, { endsAt: deadlineAt + lastPollMs, signal }, context, (end) => {
        return new Waiter(wait, context, end);
    });
}

/** How a wait continues: the limits of the pause before the next poll, and the reason that a timeout reports. */
interface Continuation {
    readonly leastMs?: number;
    readonly mostMs?: number;
    readonly reason?: string | undefined;
}

/**
 * One wait. After each poll, whether it returned the item, returned nothing or failed, it decides whether to continue.
 */
class Waiter<T> implements EndingWatcher<T> {
    readonly id: string;
    dueAt: number;
    private readonly beganAt: number;
    private status: string;
    private statusSince: number;
    private notFounds = 0;
    private missingSince = 0;
    private everSeen = false;
    private random = 0;
    private reason: string | undefined = "the API has not responded";
    private readonly policy = new RetryPolicy("GET");

    constructor(
        private readonly wait: Wait<T>,
        private readonly context: WaitContext,
        private readonly end: End<T | undefined>,
    ) {
        this.id = wait.id;
        this.beganAt = context.clock.now();
        this.statusSince = this.beganAt;
        this.status = wait.until === "gone" ? "deleting" : "not visible yet";
        this.dueAt = Math.min(this.beganAt + nextPoll(0, context.random), wait.deadlineAt);
    }

    seen({ find }: Found<T>, random: number): void {
        const item = find(this.id);
        this.random = random;
        this.policy.succeeded();
        if (item === undefined) {
            this.notFound();
            return;
        }
        this.everSeen = true;
        this.notFounds = 0;
        this.wait.onSeen?.(item);
        const outcome = this.wait.evaluate(item);
        if (outcome.kind === "ready") {
            this.end((resolve) => resolve(item));
        } else if (outcome.kind === "failed") {
            const { status, reason, error = new WaitFailedError(this.wait.subject, status, reason) } = outcome;
            this.end((_, reject) => reject(error));
        } else {
            this.continue(outcome.status, outcome.detail);
        }
    }

    slow(waitsFor: string): void {
        const elapsedMs = this.context.clock.now() - this.beganAt;
        const detail = `waiting for ${waitsFor}`;
        this.wait.onPoll?.({ status: this.status, detail, elapsedMs, deadlineAt: this.wait.deadlineAt });
    }

    /** Ends the wait. The error reports why the last poll did not end it. */
    timeOut(): void {
        const now = this.context.clock.now();
        const { subject, setting } = this.wait;
        const inStatusMs = now - this.statusSince;
        const waitedMs = now - this.beganAt;
        this.end((_, reject) =>
            reject(new WaitTimeoutError(subject, this.status, inStatusMs, waitedMs, setting, this.reason)),
        );
    }

    pollFailed(error: unknown, random: number): void {
        this.random = random;
        if (this.policy.reactionTo(error, this.context.clock.now()) === "repeat") {
            this.continue(this.status, inBrief(error), { reason: messageOf(error), mostMs: maxPauseAfter(error) });
        } else {
            this.end((_, reject) => reject(error as Error));
        }
    }

    private notFound(): void {
        const now = this.context.clock.now();
        this.notFounds += 1;
        this.missingSince = this.notFounds === 1 ? now : this.missingSince;
        const isYoung = this.wait.until === "ready" && now - this.beganAt < appearsWithinMs;
        const mayAppear = isYoung && (!this.everSeen || now - this.missingSince < flickersWithinMs);
        if (this.notFounds < notFoundsThatMeanGone || mayAppear) {
            const detail = this.wait.until === "gone" ? "not found, checking again" : "not found";
            this.continue(this.status, detail, { leastMs: notFoundPollMs, mostMs: notFoundPollMs });
        } else if (this.wait.until === "gone") {
            this.end((resolve) => resolve(undefined));
        } else {
            this.end((_, reject) => reject(new WaitGoneError(this.wait.subject)));
        }
    }

    /**
     * Continues the wait, or ends it at its deadline. A timeout reports the reason, which has more information than the
     * detail.
     */
    private continue(
        status: string,
        detail: string | undefined,
        { leastMs = 0, mostMs = Infinity, reason = detail }: Continuation = {},
    ): void {
        const now = this.context.clock.now();
        if (status !== this.status) {
            this.status = status;
            this.statusSince = now;
        }
        this.reason = reason;
        const elapsedMs = now - this.beganAt;
        if (now >= this.wait.deadlineAt) {
            this.timeOut();
            return;
        }
        this.wait.onPoll?.({ status, detail, elapsedMs, deadlineAt: this.wait.deadlineAt });
        const pauseMs = nextPoll(elapsedMs, () => this.random);
        this.dueAt = Math.min(now + Math.min(Math.max(pauseMs, leastMs), mostMs), this.wait.deadlineAt);
    }
}
