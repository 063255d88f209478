import { inBrief } from "../api/errors";
import type { Retry } from "../api/retry";
import { formatDuration } from "../wait/duration";
import type { Progress } from "../wait/wait";
import type { Run } from "./run";

/** Something that is being done and waited for. */
export interface Activity {
    /** The operation behind it, which takes about as long as others of its kind; absent where it waits for what others began. */
    readonly kind?: string | undefined;
    /** Puts what is going on right now into a line; without it, the line is what has been begun. */
    readonly line: (now?: string) => string;
}

/** What is going on comes first: a row of a terminal has little room. */
export function about(kind: string | undefined, text: string): Activity {
    return { kind, line: (now) => (now === undefined ? text : `${now}, ${text}`) };
}

/** One of several steps. */
export function stepOf(activity: Activity, index: number, count: number): Activity {
    return count === 1
        ? activity
        : { ...activity, line: (now) => `step ${index + 1} of ${count}: ${activity.line(now)}` };
}

/** A line that has not changed but for the time is said again when the time has grown by this part, and by this much at least. */
const [growth, leastMs] = [0.25, 5_000];

/** Tells which lines are worth saying: a new state at once, an old one less and less often. A pipeline prints every line. */
function sparingly(): (state: string, elapsedMs: number) => boolean {
    let last = { state: "", elapsedMs: 0 };
    return (state, elapsedMs) => {
        if (state === last.state && elapsedMs < last.elapsedMs + Math.max(last.elapsedMs * growth, leastMs)) {
            return false;
        }
        last = { state, elapsedMs };
        return true;
    };
}

/** How much of its time the whole operation has used, of which what goes on may be one step. */
function timeOf({ wait, beganAt, deadlineAt }: Run): string {
    return `${formatDuration(wait.clock.now() - beganAt)} of ${formatDuration(deadlineAt - beganAt)}`;
}

/** Says how what is waited for stands. */
export function reporter(run: Run, { line }: Activity): (progress: Progress) => void {
    const isWorthSaying = sparingly();
    let told = false;
    return ({ status, detail, elapsedMs, deadlineAt }) => {
        const state = detail === undefined ? status : `${status}, ${detail}`;
        if (elapsedMs > run.usualMs && !told) {
            told = true;
            const left = formatDuration(deadlineAt - run.wait.clock.now());
            run.tell(
                `${line(state)}: this takes longer than usual, and is waited for ${left} more (${run.timeoutSetting})`,
            );
        }
        if (isWorthSaying(state, elapsedMs)) {
            run.say(line(`${state}, ${timeOf(run)}`));
        }
    };
}

/** A call that fails for longer than this is worth a word. */
const noticeableMs = 2_000;
/** A pause that is longer than this is said: the service asked for it. */
const longPauseMs = 10_000;

/** Says that a call has failed for a while and is sent again. */
export function retryReporter(run: Run): (retry: Retry) => void {
    const isWorthSaying = sparingly();
    return ({ failure, failingMs, pauseMs }) => {
        const state = inBrief(failure);
        if (failingMs + pauseMs > noticeableMs && isWorthSaying(state, failingMs)) {
            const pause = pauseMs > longPauseMs ? ` in ${formatDuration(pauseMs)}` : "";
            run.say(`${state}, trying again${pause} (${timeOf(run)})`);
        }
    };
}
