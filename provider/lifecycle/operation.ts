import type { Client, CallOptions } from "../api/client";
import type { KeyedMutex } from "./keyedMutex";
import type { SharedCalls } from "../wait/shared";
import type { WaitContext, Progress } from "../wait/wait";
import { inBrief, isConflict, isOfUnknownAddress, isUncertain } from "../api/errors";
import type { Retry } from "../api/retry";
import { formatDuration } from "../wait/duration";
import { WaitTimeoutError } from "../wait/errors";
import { pending, type Outcome } from "../wait/outcome";
import { nextPoll, rejectedWithinMs } from "../wait/schedule";
import { RejectedError } from "./errors";

/** What the code of a resource may use while it does something: the service, the waits, and the user's ear. */
export interface OperationContext {
    readonly client: Client;
    readonly wait: WaitContext;
    /** Lists that several resources ask for at the same time. */
    readonly lists: SharedCalls;
    /** Keeps changes to one service from colliding. */
    readonly locks: KeyedMutex;
    /** When this operation on the resource began, on the clock. */
    readonly beganAt: number;
    /** When to give up, on the clock. */
    readonly deadlineAt: number;
    /** The setting that gives more time, for the message of a time-out. */
    readonly timeoutSetting: string;
    readonly signal: AbortSignal | undefined;
    /** Shows what is going on in the row of the resource, in place of what was there. */
    readonly status: (text: string) => void;
    /** Says something that stays in the output, under the resource. */
    readonly info: (text: string) => void;
    /** Prints a warning under the resource. */
    readonly warn: (text: string) => void;
    /** What takes longer than this, in milliseconds, is worth a word. */
    readonly usualMs: number;
    /** The id of the thing that this resource had before, while it is being replaced. */
    readonly replacing: string | undefined;
    /** What the program declares for an existing thing that another of its resources of this kind manages. */
    readonly declaredFor: (projectId: string, id: string) => object | undefined;
}

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

/** The time that the whole operation has used, and its limit; the current activity may be one of several steps. */
function timeOf({ wait, beganAt, deadlineAt }: OperationContext): string {
    return `${formatDuration(wait.clock.now() - beganAt)} of ${formatDuration(deadlineAt - beganAt)}`;
}

/** Says how what is waited for stands. */
export function reporter(context: OperationContext, { line }: Activity): (progress: Progress) => void {
    const isWorthSaying = sparingly();
    let told = false;
    return ({ status, detail, elapsedMs, deadlineAt }) => {
        const state = detail === undefined ? status : `${status}, ${detail}`;
        if (elapsedMs > context.usualMs && !told) {
            told = true;
            const left = formatDuration(deadlineAt - context.wait.clock.now());
            context.info(
                `${line(state)}: this takes longer than usual, and is waited for ${left} more (${context.timeoutSetting})`,
            );
        }
        if (isWorthSaying(state, elapsedMs)) {
            context.status(line(`${state}, ${timeOf(context)}`));
        }
    };
}

/** A call that fails for longer than this is worth a word. */
const noticeableMs = 2_000;

/** A pause that is longer than this is said: the service asked for it. */
const longPauseMs = 10_000;

/** Says that a call has failed for a while and is sent again. */
export function retryReporter(context: OperationContext): (retry: Retry) => void {
    const isWorthSaying = sparingly();
    return ({ failure, failingMs, pauseMs }) => {
        const state = inBrief(failure);
        if (failingMs + pauseMs > noticeableMs && isWorthSaying(state, failingMs)) {
            const pause = pauseMs > longPauseMs ? ` in ${formatDuration(pauseMs)}` : "";
            context.status(`${state}, trying again${pause} (${timeOf(context)})`);
        }
    };
}

/** Failures after which something may be sent again that does no harm when it is carried out twice. */
export function isTransient(error: unknown): boolean {
    return isConflict(error) || (isUncertain(error) && !isOfUnknownAddress(error));
}

/** What to do about failures of something that is sent repeatedly. */
export interface RetryRules {
    /** Failures after which it may be sent again. */
    readonly again?: (error: unknown) => boolean;
    /** What stands in the way, asked after each rejection; what is pending passes by itself. */
    readonly obstacle: () => Promise<Outcome>;
}

/**
 * Sends a request that the API may reject for a while, until it is accepted or time runs out. A rejection for which
 * nothing pending is the reason ends in an error much sooner.
 */
export async function retryUntilAccepted<Answer>(
    send: () => Promise<Answer>,
    subject: string,
    context: OperationContext,
    activity: Activity,
    { again = isConflict, obstacle }: RetryRules,
): Promise<Answer> {
    const { clock, random } = context.wait;
    const beganAt = clock.now();
    const report = reporter(context, activity);
    let rejectedMs = 0;
    for (;;) {
        try {
            return await send();
        } catch (error) {
            if (!again(error)) {
                throw error;
            }
            const cause = isConflict(error) ? await obstacle() : pending("no usable answer");
            const status = statusOf(error, cause);
            if (cause.kind === "pending") {
                rejectedMs = 0;
            } else if (rejectedMs >= rejectedWithinMs) {
                throw new RejectedError(subject, activity.kind ?? "the request", reasonOf(error, cause), error);
            }
            const elapsed = clock.now() - beganAt;
            const left = context.deadlineAt - clock.now();
            if (left <= 0) {
                throw new WaitTimeoutError(subject, status, elapsed, elapsed, context.timeoutSetting);
            }
            report({ status, elapsedMs: elapsed, deadlineAt: context.deadlineAt });
            const pauseMs = Math.min(nextPoll(elapsed, random), left);
            await clock.sleep(pauseMs, context.signal);
            // Only pauses count: in its turn to be sent, other changes may have come first.
            rejectedMs += pauseMs;
        }
    }
}

/** Does the work when no other change to the service is under way, or gives up when time has run out before. */
export function withLock<T>(
    serviceId: string,
    work: () => Promise<T>,
    subject: string,
    context: OperationContext,
    activity: Activity,
): Promise<T> {
    const { clock } = context.wait;
    const status = "waiting for another change to the service";
    return context.locks.withLock(serviceId, work, async (acquired) => {
        const beganAt = clock.now();
        context.status(activity.line(status));
        const over = new AbortController();
        const signal = context.signal ? AbortSignal.any([context.signal, over.signal]) : over.signal;
        const timeIsUp = clock.sleep(Math.max(context.deadlineAt - beganAt, 0), signal).then(() => {
            const elapsed = clock.now() - beganAt;
            throw new WaitTimeoutError(subject, status, elapsed, elapsed, context.timeoutSetting);
        });
        try {
            await Promise.race([acquired, timeIsUp]);
        } finally {
            over.abort();
            timeIsUp.catch(() => undefined);
        }
    });
}

/** A change of this program to the service may still remove what stands in the way. */
export function unlessChanging(outcome: Outcome, serviceIds: readonly string[], context: OperationContext): Outcome {
    return outcome.kind === "failed" && serviceIds.some((id) => context.locks.isBusy(id))
        ? pending(outcome.status, outcome.reason)
        : outcome;
}

function statusOf(error: unknown, cause: Outcome): string {
    if (!isConflict(error)) {
        return "no usable answer";
    }
    const known = cause.kind === "failed" ? cause.reason : cause.kind === "pending" ? cause.detail : undefined;
    const text = known ?? messageIn(error);
    return text ? `rejected (${text.replace(/\.$/, "")})` : "rejected, busy";
}

function reasonOf(error: unknown, cause: Outcome): string {
    if (cause.kind === "failed") {
        return cause.reason;
    }
    const said = messageIn(error) ?? "the API gave no reason";
    return `${said.replace(/\.?$/, ".")} Nothing shows that this will pass: remove the cause and run \`pulumi up\` again.`;
}

function messageIn(error: unknown): string | undefined {
    return (error as { apiMessage?: string }).apiMessage;
}

/** Failures that pass are tried again for as long as the resource has time, and its row says so. */
export function retryBudget(context: OperationContext): CallOptions & { retryBudgetMs: number } {
    const retryBudgetMs = Math.max(context.deadlineAt - context.wait.clock.now(), 0);
    return { retryBudgetMs, signal: context.signal, onRetry: retryReporter(context) };
}
