import { ApiError, DeadlineError, partsOf, CloudDbError } from "../api/callErrors";
import { Failures } from "../api/retry";
import { withPeriod, way, type Message, type WayOut } from "../base/message";
import {
    Absence,
    appearsWithinMs,
    flickersWithinMs,
    lastPollTimeoutMs,
    nextPoll,
    notFoundPollMs,
    provesLossAfterMs,
} from "./schedule";
import type { SharedReads, Collection } from "../model/collection";
import type { Progress } from "./progress";
import type { Context } from "../model/context";
import type { Outcome } from "../model/outcome";
import { formatDuration } from "../base/time";

/** The parameters of a wait. */
export interface Wait<T> extends Pick<Context, "deadlineAt" | "timeoutSetting" | "signal"> {
    readonly subject: string;
    readonly id: string;
    readonly collection: Collection<T>;
    /** Called with each item that a read returns, even if that ends a wait. */
    readonly onSeen?: ((item: T) => void) | undefined;
    /** Whether the deletion of the resource also ends the wait successfully, or fails it. */
    readonly until: "ready" | "gone";
    /** Evaluates a poll, and may end the wait with an error of its own. */
    readonly evaluate: (item: T) => Outcome;
    /** Called after each poll that does not end the wait. */
    readonly onPoll?: ((progress: Progress) => void) | undefined;
}

/** One wait. After each poll, whether it returned the item or not, it decides whether to continue. */
export class Waiter<T> {
    private readonly beganAt: number;
    private readonly absence: Absence;
    /** Until this time, the API may reject reads of a resource that was just created, with any status. */
    private newUntil: number;
    /** The failures since the last successful poll. */
    private failures: Failures | undefined;
    private status: string;
    private statusSince: number;
    /** Why the last poll did not end the wait. */
    private reason: Partial<Message> = { what: "the API has not responded" };

    constructor(
        private readonly wait: Wait<T>,
        private readonly lists: SharedReads,
    ) {
        const { clock } = lists;
        this.beganAt = clock.now();
        this.statusSince = this.beganAt;
        this.newUntil = wait.until === "ready" ? this.beganAt + flickersWithinMs : -Infinity;
        this.status = wait.until === "gone" ? "deleting" : "not visible yet";
        this.absence =
            wait.until === "ready" ? new Absence(clock, provesLossAfterMs, appearsWithinMs) : new Absence(clock);
    }

    /** Resolves with the item when it is ready, or with undefined when it is gone. Fails if it is gone, unless that ends the wait. */
    async run(): Promise<T | undefined> {
        const { clock, spread } = this.lists;
        const { until, subject } = this.wait;
        let pauseMs = nextPoll(0, spread);
        for (;;) {
            let item: T | undefined;
            try {
                item = await this.poll(pauseMs);
            } catch (error) {
                pauseMs = this.pauseAfter(error as Error);
                continue;
            }
            this.failures = undefined;
            if (item !== undefined) {
                this.absence.found();
                this.newUntil = -Infinity;
                if (this.isReady(item)) {
                    return item;
                }
            } else if (!this.absence.missing()) {
                this.continue(this.status, until === "gone" ? undefined : "not found");
            } else if (until === "gone") {
                return undefined;
            } else {
                throw gone(subject);
            }
            pauseMs = item === undefined ? notFoundPollMs : nextPoll(clock.now() - this.beganAt, spread);
        }
    }

    /** Reads the item after the pause, at the latest at the deadline. After that, only a failed poll is repeated. */
    private poll(pauseMs: number): Promise<T | undefined> {
        const { collection, id, deadlineAt, signal } = this.wait;
        const leftMs = deadlineAt - this.lists.clock.now();
        return this.lists.find(collection, id, {
            pauseMs: leftMs <= 0 && this.failures ? pauseMs : Math.max(Math.min(pauseMs, leftMs), 0),
            deadlineAt: deadlineAt + lastPollTimeoutMs,
            signal,
            isSingle: true,
            needsList: this.absence.needsList,
            onSlow: (waitsFor) => this.report({ detail: `waiting for ${waitsFor}` }),
        });
    }

    /** The pause after a failed poll. Fails if the failure is final, or if the deadline leaves no time for another poll. */
    private pauseAfter(failure: Error): number {
        const { clock, random } = this.lists;
        const { deadlineAt } = this.wait;
        if (failure instanceof DeadlineError) {
            throw this.timeout();
        }
        this.failures ??= new Failures(clock, random);
        const now = clock.now();
        const isNew = now < this.newUntil && failure instanceof ApiError && failure.failureClass !== "unauthorized";
        const pauseMs = this.failures.pauseAfter(failure) ?? (isNew ? notFoundPollMs : undefined);
        if (pauseMs === undefined) {
            throw failure;
        }
        this.reason = partsOf(failure);
        if (now >= deadlineAt && now + pauseMs >= deadlineAt + lastPollTimeoutMs) {
            throw this.timeout();
        }
        this.report({ failure });
        return pauseMs;
    }

    private isReady(item: T): boolean {
        this.wait.onSeen?.(item);
        const outcome = this.wait.evaluate(item);
        if (outcome.phase === "failed") {
            const { status, reason, ways = [] } = outcome;
            throw new CloudDbError({ what: withPeriod(`${this.wait.subject} failed (${status}): ${reason}`), ways });
        }
        if (outcome.phase === "pending") {
            this.continue(outcome.status, outcome.detail);
        }
        return outcome.phase === "ready";
    }

    /** Records why the wait continues. Fails at the deadline. */
    private continue(status: string, detail: string | undefined): void {
        const now = this.lists.clock.now();
        if (status !== this.status) {
            this.status = status;
            this.statusSince = now;
        }
        this.reason = detail === undefined ? {} : { what: detail };
        if (now >= this.wait.deadlineAt) {
            throw this.timeout();
        }
        this.report({ detail });
    }

    private report(last: Pick<Progress, "detail" | "failure">): void {
        const elapsedMs = this.lists.clock.now() - this.beganAt;
        this.wait.onPoll?.({ status: this.status, ...last, elapsedMs });
    }

    private timeout(): CloudDbError {
        const { subject, timeoutSetting } = this.wait;
        const now = this.lists.clock.now();
        const [inStatusMs, waitedMs] = [now - this.statusSince, now - this.beganAt];
        return waitTimeout(subject, this.status, inStatusMs, waitedMs, timeoutSetting, this.reason);
    }
}

/** A wait timed out. The operation continues on the server and is not rolled back. */
export function waitTimeout(
    subject: string,
    lastStatus: string,
    inStatusMs: number,
    waitedMs: number,
    /** The setting for the time limit. */
    setting: string,
    /** The detail or the error of the last poll. */
    { what: detail, details }: Partial<Message> = {},
): CloudDbError {
    const last = detail === undefined ? "" : ` (last poll: ${detail.replace(/\.$/, "")})`;
    const waited = `timed out after ${formatDuration(waitedMs)}: ${lastStatus} for ${formatDuration(inStatusMs)}`;
    return new CloudDbError({ what: `${subject} ${waited}${last}.`, ways: resuming(setting), details });
}

/** The resource disappeared during a wait. */
export function gone(subject: string): CloudDbError {
    const what = `${subject} no longer exists: it was deleted outside of this program, or its creation failed.`;
    return new CloudDbError({ what, ways: [createsAgain] });
}

/** After a deletion outside of the program. */
export const createsAgain = way("Create it again", "`pulumi up --refresh`");

/** The ways out of a time limit. Nothing is rolled back. */
export const resuming = (setting: string): readonly WayOut[] => [
    way("Resume", "repeat the command; nothing was rolled back"),
    way("More time", `increase ${setting}`),
];
