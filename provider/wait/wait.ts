import type { Clock } from "../api/clock";
import { inBrief, messageOf, verdictOf } from "../api/errors";
import { LastingFailures } from "../api/retry";
import { WaitFailedError, WaitGoneError, WaitTimeoutError } from "./errors";
import type { History } from "./schedule";
import type { Outcome } from "./outcome";
import type { Poller, Source, Watcher } from "./poller";
import {
    appearsWithinMs,
    flickersWithinMs,
    notFoundsThatMeanGone,
    notFoundPollMs,
    nextPoll,
    type Experience,
} from "./schedule";

/** What a wait needs that is the same for all waits of a process. */
export interface WaitContext {
    readonly clock: Clock;
    readonly random: () => number;
    readonly poller: Poller;
    /** What was learnt about how long things take. */
    readonly history: History;
}

/** How a wait stands, for the user's eyes. */
export interface Progress {
    readonly status: string;
    readonly detail?: string | undefined;
    readonly elapsedMs: number;
    readonly deadlineAt: number;
}

/** What is waited for. */
export interface Wait<T> {
    /** The thing in words, for errors: `Service "orders"`. */
    readonly subject: string;
    readonly source: Source<T>;
    readonly id: string;
    /**
     * What is done to it, in which project: things of one kind take about the same time. Absent where others began it,
     * nobody knows when: such a wait learns nothing and teaches nothing.
     */
    readonly kind?: string | undefined;
    /** Whether an end of the thing is what is waited for, or ends the wait as a failure. */
    readonly until: "ready" | "gone";
    /** What a look at it says. A wait for its end is never ready while it is there. */
    readonly judge: (item: T) => Outcome;
    /** When to give up, on the clock. */
    readonly deadlineAt: number;
    /** The setting that gives more time. */
    readonly setting: string;
    readonly signal?: AbortSignal | undefined;
    /** Called with the item each time it is seen, also when that ends the wait. */
    readonly onSeen?: ((item: T) => void) | undefined;
    /** Called after each look that leaves the wait going on. */
    readonly onPoll?: ((progress: Progress) => void) | undefined;
}

/** Resolves with the item once it is ready, or with undefined once it is gone where that is waited for. */
export function waitFor<T>(wait: Wait<T>, context: WaitContext): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
        const waiter = new Waiter(wait, context, (settle) => {
            stop();
            wait.signal?.removeEventListener("abort", onAbort);
            settle(resolve, reject);
        });
        const onAbort = () => waiter.end((_, fail) => fail(wait.signal?.reason as Error));
        const stop = context.poller.watch(wait.source, waiter);
        if (wait.signal?.aborted) {
            onAbort();
        } else {
            wait.signal?.addEventListener("abort", onAbort, { once: true });
        }
    });
}

type Settle<T> = (resolve: (item: T | undefined) => void, reject: (error: Error) => void) => void;

/** The rules of one wait: what a look, a look without the thing and a failed look mean for it. */
class Waiter<T> implements Watcher<T> {
    readonly id: string;
    dueAt: number;
    private readonly beganAt: number;
    private status: string;
    private statusSince: number;
    private misses = 0;
    private missingSince = 0;
    private everSeen = false;
    private chance = 0;
    private readonly lasting = new LastingFailures();

    constructor(
        private readonly wait: Wait<T>,
        private readonly context: WaitContext,
        readonly end: (settle: Settle<T>) => void,
    ) {
        this.id = wait.id;
        this.beganAt = context.clock.now();
        this.statusSince = this.beganAt;
        this.status = wait.until === "gone" ? "deleting" : "not seen yet";
        this.dueAt = Math.min(this.beganAt + nextPoll(0, context.random), wait.deadlineAt);
    }

    seen(item: T | undefined, chance: number): void {
        this.chance = chance;
        this.lasting.over();
        if (item === undefined) {
            this.absent();
            return;
        }
        this.everSeen = true;
        this.misses = 0;
        this.wait.onSeen?.(item);
        const outcome = this.wait.judge(item);
        if (outcome.kind === "ready") {
            this.done(item);
        } else if (outcome.kind === "failed") {
            const { status, reason, property } = outcome;
            this.end((_, reject) => reject(new WaitFailedError(this.wait.subject, status, reason, property)));
        } else {
            this.goOn(outcome.status, outcome.detail);
        }
    }

    pollFailed(error: unknown, chance: number): void {
        this.chance = chance;
        const verdict = verdictOf(error);
        const ends = verdict === undefined || verdict === "refused";
        const now = this.context.clock.now();
        if (ends || now >= this.lasting.endAt(error, now)) {
            this.end((_, reject) => reject(error as Error));
        } else {
            const soon = verdict === "denied" ? { pollAfterMs: notFoundPollMs } : {};
            this.goOn(this.status, inBrief(error), { reason: messageOf(error), ...soon });
        }
    }

    private absent(): void {
        const now = this.context.clock.now();
        this.misses += 1;
        this.missingSince = this.misses === 1 ? now : this.missingSince;
        const isYoung = this.wait.until === "ready" && now - this.beganAt < appearsWithinMs;
        const mayAppear = isYoung && (!this.everSeen || now - this.missingSince < flickersWithinMs);
        if (this.misses < notFoundsThatMeanGone || mayAppear) {
            const detail = this.wait.until === "gone" ? "gone, looking once more" : "not in the service's answer";
            this.goOn(this.status, detail, { pollAfterMs: notFoundPollMs });
        } else if (this.wait.until === "gone") {
            this.done(undefined);
        } else {
            this.end((_, reject) => reject(new WaitGoneError(this.wait.subject)));
        }
    }

    private done(item: T | undefined): void {
        const { clock, history } = this.context;
        if (this.wait.kind !== undefined) {
            history.record(this.wait.kind, clock.now() - this.beganAt);
        }
        this.end((resolve) => resolve(item));
    }

    private experience(): Experience | undefined {
        return this.wait.kind === undefined ? undefined : this.context.history.of(this.wait.kind);
    }

    /** A time-out gives the reason, which says more than the detail in a row. */
    private goOn(
        status: string,
        detail: string | undefined,
        { pollAfterMs, reason = detail }: { pollAfterMs?: number; reason?: string | undefined } = {},
    ): void {
        const now = this.context.clock.now();
        if (status !== this.status) {
            this.status = status;
            this.statusSince = now;
        }
        const elapsedMs = now - this.beganAt;
        if (now >= this.wait.deadlineAt) {
            const { subject, setting } = this.wait;
            const inStatusMs = now - this.statusSince;
            this.end((_, reject) =>
                reject(new WaitTimeoutError(subject, status, inStatusMs, elapsedMs, setting, reason)),
            );
            return;
        }
        this.wait.onPoll?.({ status, detail, elapsedMs, deadlineAt: this.wait.deadlineAt });
        this.dueAt = Math.min(
            now + (pollAfterMs ?? nextPoll(elapsedMs, () => this.chance, this.experience())),
            this.wait.deadlineAt,
        );
    }
}
