import type { CallOptions, Client } from "../api/client";
import type { Clock } from "../api/clock";
import type { Deadline } from "../api/deadline";
import type { KeyedMutex } from "../reconcile/lock";
import type { Lists } from "../wait/lists";
import type { Progress } from "../wait/wait";
import { DeadlineError, inBrief, messageOf } from "../api/errors";
import type { Text } from "../inputs/printable";
import type { Retry } from "../api/retry";
import { reactionTo } from "../api/retryPolicy";
import { formatDuration } from "../wait/duration";
import { pending, type Outcome } from "../wait/outcome";
import { operationTimedOut } from "./errors";
import type { Run } from "./run";

/** What an operation on a resource may use: the API, the time that it has, locks and the user's terminal. */
export interface OperationContext extends Deadline {
    readonly client: Client;
    readonly clock: Clock;
    readonly random: () => number;
    readonly lists: Lists;
    /** One lock for each resource: the API accepts one change of a service at a time. */
    readonly locks: KeyedMutex;
    /** When this operation began, on the clock. */
    readonly beganAt: number;
    /** The setting that extends the deadline, for the timeout message. */
    readonly timeoutSetting: string;
    /** Replaces the status in the row of the resource. */
    readonly status: (text: string) => void;
    /** Prints a line under the resource, which stays in the output. */
    readonly info: (text: string) => void;
    /** Prints a warning under the resource. */
    readonly warn: (text: Text) => void;
    /** An operation that takes longer than this, in milliseconds, prints a line that says so. */
    readonly usualMs: number;
    /** What the resources of the program manage. */
    readonly run: Run;
    /** The resource of the program. */
    readonly urn: string | undefined;
}

/** What an operation is doing: the line of the status row, with the current status if there is one. */
export type Activity = (now?: string) => string;

/** A described activity. The current status comes first, because terminal rows are narrow. */
export function describedActivity(text: string): Activity {
    return (now) => (now === undefined ? text : `${now}, ${text}`);
}

/** A wait whose status row shows the status alone. */
export const waitActivity: Activity = (now) => now ?? "waiting";

/** One of several steps of a plan. */
export function stepActivity(activity: Activity, index: number, count: number): Activity {
    return count === 1 ? activity : (now) => `step ${index + 1} of ${count}: ${activity(now)}`;
}

/**
 * An unchanged status is printed again when the elapsed time has grown by this factor, and by this many milliseconds.
 */
const [growth, leastMs] = [0.25, 5_000];

/**
 * Decides whether to print a status: a new one at once, an unchanged one less and less often. A pipeline prints every
 * line.
 */
function printFilter(): (state: string, elapsedMs: number) => boolean {
    let last = { state: "", elapsedMs: 0 };
    return (state, elapsedMs) => {
        // The elapsed time restarts when a request fails in another way.
        const isRecent = elapsedMs < last.elapsedMs + Math.max(last.elapsedMs * growth, leastMs);
        if (state === last.state && elapsedMs >= last.elapsedMs && isRecent) {
            return false;
        }
        last = { state, elapsedMs };
        return true;
    };
}

/** The elapsed time and the time limit of the whole operation. The current activity may be one of several steps. */
function timeOf({ clock, beganAt, deadlineAt }: OperationContext): string {
    return `${formatDuration(clock.now() - beganAt)} of ${formatDuration(deadlineAt - beganAt)}`;
}

/** Shows the progress of a wait in the status row. */
export function progressReporter({
    context,
    activity,
}: {
    readonly context: OperationContext;
    readonly activity: Activity;
}): (progress: Progress) => void {
    const shouldPrint = printFilter();
    let hasReportedDelay = false;
    return ({ status, detail, elapsedMs, deadlineAt }) => {
        const state = detail === undefined ? status : `${status}, ${detail}`;
        if (elapsedMs > context.usualMs && !hasReportedDelay) {
            hasReportedDelay = true;
            const left = formatDuration(deadlineAt - context.clock.now());
            context.info(
                `${activity(state)}: this takes longer than usual; it times out in ${left} (${context.timeoutSetting})`,
            );
        }
        if (shouldPrint(state, elapsedMs)) {
            context.status(activity(`${state}, ${timeOf(context)}`));
        }
    };
}

/** The status row shows a request that fails for longer than this. */
const noticeableMs = 2_000;

/** The status row shows a pause that is longer than this. The API asked for it. */
const longPauseMs = 10_000;

/** Shows in the status row that a request keeps failing and is retried. */
export function retryReporter(context: OperationContext): (retry: Retry) => void {
    const shouldPrint = printFilter();
    return ({ failure, failingMs, pauseMs }) => {
        const state = inBrief(failure);
        if (failingMs + pauseMs > noticeableMs && shouldPrint(state, failingMs)) {
            const pause = pauseMs > longPauseMs ? ` in ${formatDuration(pauseMs)}` : "";
            context.status(`${state}, retrying${pause} (${timeOf(context)})`);
        }
    };
}

/** A failed outcome is pending while this program changes the service: the change may remove the cause. */
export function unlessChanging(outcome: Outcome, serviceIds: readonly string[], context: OperationContext): Outcome {
    return outcome.kind === "failed" && serviceIds.some((id) => context.locks.isBusy(id))
        ? pending(outcome.status, outcome.reason)
        : outcome;
}

/** A call may last until the operation's deadline. The status row shows what it waits for. */
export function callOptions(context: OperationContext): CallOptions & Deadline {
    return {
        deadlineAt: context.deadlineAt,
        signal: context.signal,
        onRetry: retryReporter(context),
        onSlow: (waitsFor) => {
            context.status(`waiting for ${waitsFor} (${timeOf(context)})`);
        },
    };
}

/**
 * After its deadline, an operation has this long to receive the response to a creation in flight, to find what a lost
 * response created, and to find duplicates.
 */
const graceMs = 4_000;

/** The context for the work that an operation may still do after its deadline. */
export function withGrace(context: OperationContext): OperationContext {
    return { ...context, deadlineAt: context.deadlineAt + graceMs };
}

/** The error of an operation. If the deadline ended it, the error names the time limit. */
export function errorOf(error: unknown, subject: string, context: OperationContext): unknown {
    const { beganAt, deadlineAt, timeoutSetting } = context;
    const isTransient = reactionTo(error, "GET") === "repeat";
    return error instanceof DeadlineError || (isTransient && context.clock.now() >= deadlineAt)
        ? operationTimedOut(subject, deadlineAt - beganAt, messageOf(error), timeoutSetting, error)
        : error;
}
