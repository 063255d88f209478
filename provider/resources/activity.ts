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

/** Says each new status at once, and an old one less and less often: a pipeline prints every line. */
export function reporter(run: Run, { line }: Activity): (progress: Progress) => void {
    let last = { state: "", elapsedMs: 0 };
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
        if (state === last.state && elapsedMs < last.elapsedMs + Math.max(last.elapsedMs * growth, leastMs)) {
            return;
        }
        last = { state, elapsedMs };
        // The time of the whole operation, of which this may be one step.
        const sinceBegin = formatDuration(run.wait.clock.now() - run.beganAt);
        run.say(line(`${state}, ${sinceBegin} of ${formatDuration(deadlineAt - run.beganAt)}`));
    };
}
