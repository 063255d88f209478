import type { CallOptions } from "../api/client";
import type { Deadline } from "../api/clock";
import { inBrief, failureInRow } from "../api/callErrors";
import type { Retry } from "../api/retry";
import type { Activity, Context } from "../model/context";
import type { AnyOperation } from "../model/operation";
import { formatDuration } from "../base/time";

/** The progress of a wait, as shown to the user. */
export interface Progress {
    /** Absent if it is not known, because the last request failed. */
    readonly status?: string | undefined;
    readonly detail?: string | undefined;
    /** Why the last request failed, if it did. */
    readonly failure?: unknown;
    readonly elapsedMs: number;
}

/** A described activity. The current status comes first, because terminal rows are narrow. */
export function describedActivity(text: string): Activity {
    return (status) => (status === undefined ? text : `${status}, ${text}`);
}

/** One of several steps of a plan. */
export function stepActivity(activity: Activity, index: number, count: number): Activity {
    return count === 1 ? activity : (status) => `step ${index + 1} of ${count}: ${activity(status)}`;
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
function timeOf({ clock, beganAt, deadlineAt }: Context): string {
    return `${formatDuration(clock.now() - beganAt)} of ${formatDuration(deadlineAt - beganAt)}`;
}

/** Shows the progress of a wait in the status row. */
export function progressReporter({
    context,
    activity,
}: Pick<AnyOperation, "context" | "activity">): (progress: Progress) => void {
    const shouldPrint = printFilter();
    return ({ status, detail, failure, elapsedMs }) => {
        const textOf = (describe: typeof failureInRow) =>
            [status, failure === undefined ? detail : describe(failure)]
                .filter((part) => part !== undefined)
                .join(", ");
        if (shouldPrint(textOf(inBrief), elapsedMs)) {
            context.showRow(activity(`${textOf(failureInRow)}, ${timeOf(context)}`));
        }
    };
}

/** The status row shows a request that fails for longer than this. */
const noticeableMs = 2_000;

/** The status row shows a pause that is longer than this. The API asked for it. */
const longPauseMs = 10_000;

/** Shows in the status row that a request keeps failing and is retried. */
function retryReporter(context: Context): (retry: Retry) => void {
    const shouldPrint = printFilter();
    return ({ failure, failingMs, pauseMs }) => {
        if (failingMs + pauseMs > noticeableMs && shouldPrint(inBrief(failure), failingMs)) {
            const pause = pauseMs > longPauseMs ? ` in ${formatDuration(pauseMs)}` : "";
            context.showRow(`${failureInRow(failure)}, retrying${pause} (${timeOf(context)})`);
        }
    };
}

/** A call may last until the operation's deadline. The status row shows what it waits for. */
export function callOptions(context: Context): CallOptions & Deadline {
    return {
        deadlineAt: context.deadlineAt,
        signal: context.signal,
        onRetry: retryReporter(context),
        onSlow: (waitsFor) => {
            context.showRow(`waiting for ${waitsFor} (${timeOf(context)})`);
        },
    };
}
