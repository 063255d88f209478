import type { Client } from "../api/client";
import type { KeyedMutex } from "./keyedMutex";
import type { SharedCallOptions, SharedCalls } from "../wait/shared";
import type { WaitContext, Progress } from "../wait/wait";
import { DeadlineError, inBrief, isConflict, messageOf } from "../api/errors";
import type { Text } from "../inputs/printable";
import type { Retry } from "../api/retry";
import { reactionTo, RetryPolicy } from "../api/retryPolicy";
import { formatDuration } from "../wait/duration";
import { WaitTimeoutError } from "../wait/errors";
import { pending, type Outcome } from "../wait/outcome";
import { nextPoll, rejectedWithinMs } from "../wait/schedule";
import { OperationTimeoutError, RejectedError } from "./errors";

/** What an operation on a resource may use: the API, waits, locks and the user's terminal. */
export interface OperationContext {
    readonly client: Client;
    readonly wait: WaitContext;
    /** Lists that several resources ask for at the same time. */
    readonly lists: SharedCalls;
    /** Locks that keep changes of one service from colliding. */
    readonly locks: KeyedMutex;
    /** When this operation began, on the clock. */
    readonly beganAt: number;
    /** When this operation times out, on the clock. */
    readonly deadlineAt: number;
    /** The setting that extends the deadline, for the message of a time-out. */
    readonly timeoutSetting: string;
    readonly signal: AbortSignal | undefined;
    /** Replaces the status in the row of the resource. */
    readonly status: (text: string) => void;
    /** Prints a line under the resource, which stays in the output. */
    readonly info: (text: string) => void;
    /** Prints a warning under the resource. */
    readonly warn: (text: Text) => void;
    /** An operation that takes longer than this, in milliseconds, prints a line that says so. */
    readonly usualMs: number;
    /** The id that this resource had before, while it is being replaced. */
    readonly replacing: string | undefined;
    /** The other resource of the program that manages this id; undefined if none does. */
    readonly managerOf: (projectId: string, id: string) => Manager | undefined;
    /** Whether the program manages this resource of any type, as far as this run knows. */
    readonly isManaged: (type: string, projectId: string, id: string) => boolean;
}

/** A resource of the program that manages a resource of the API. */
export interface Manager {
    /** Its name in the program. */
    readonly name: string;
    readonly inputs: object;
}

/** What an operation is doing, for its status row and for estimates of its duration. */
export interface Activity {
    /** The API operation that is waited for; absent in a wait for changes that others made. Waits of one kind take about as long. */
    readonly kind?: string | undefined;
    /** The line of the status row, with the current status if there is one. */
    readonly line: (now?: string) => string;
}

/** A request or a wait of an operation on a resource. */
export interface Operation {
    /** The resource in messages: `Service "orders"`. */
    readonly subject: string;
    readonly context: OperationContext;
    readonly activity: Activity;
    /** The service that the request changes. It accepts one change at a time. */
    readonly lock?: Lock | undefined;
}

/** The lock of a service. It lasts until the response, or until the effect where the resource is the service itself. */
export interface Lock {
    readonly serviceId: string;
    readonly lasts: "answered" | "done";
}

/** The current status comes first, because a row of a terminal is narrow. */
export function about(kind: string | undefined, text: string): Activity {
    return { kind, line: (now) => (now === undefined ? text : `${now}, ${text}`) };
}

/** A wait whose status row shows the status alone. */
export function waiting(kind?: string): Activity {
    return { kind, line: (now) => now ?? "waiting" };
}

/** One of several steps of a plan. */
export function stepOf(activity: Activity, index: number, count: number): Activity {
    return count === 1
        ? activity
        : { ...activity, line: (now) => `step ${index + 1} of ${count}: ${activity.line(now)}` };
}

/** An unchanged status is printed again when the elapsed time has grown by this factor, and by this many milliseconds. */
const [growth, leastMs] = [0.25, 5_000];

/** Decides whether to print a status: a new one at once, an unchanged one less and less often. A pipeline prints every line. */
function printFilter(): (state: string, elapsedMs: number) => boolean {
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

/** Shows the progress of a wait in the status row. */
export function progressReporter({ context, activity: { line } }: Operation): (progress: Progress) => void {
    const shouldPrint = printFilter();
    let hasReportedDelay = false;
    return ({ status, detail, elapsedMs, deadlineAt }) => {
        const state = detail === undefined ? status : `${status}, ${detail}`;
        if (elapsedMs > context.usualMs && !hasReportedDelay) {
            hasReportedDelay = true;
            const left = formatDuration(deadlineAt - context.wait.clock.now());
            context.info(
                `${line(state)}: this takes longer than usual; it times out in ${left} (${context.timeoutSetting})`,
            );
        }
        if (shouldPrint(state, elapsedMs)) {
            context.status(line(`${state}, ${timeOf(context)}`));
        }
    };
}

/** A request that fails for longer than this is shown in the status row. */
const noticeableMs = 2_000;

/** The status row shows a pause that is longer than this: the API asked for it. */
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

/** A request that the API may reject for a while. */
export interface Request<Response> {
    readonly method: "POST" | "DELETE";
    readonly send: () => Promise<Response>;
    /** Whether `send` first reads whether a lost request took effect. Otherwise the failure is that of the whole operation. */
    readonly readsFirst: boolean;
    /** Reads, after each rejection, why the API rejects the request. A pending cause disappears without intervention. */
    readonly obstacle: () => Promise<Outcome>;
}

/**
 * Sends a request until the API accepts it, and waits for its effect. Each attempt holds the lock of the operation, and
 * releases it while the API rejects the request, because another change of the service may be the cause.
 */
export async function perform<Response, Result>(
    request: Request<Response>,
    effect: (response: Response) => Promise<Result>,
    operation: Operation,
): Promise<Result> {
    const { lock } = operation;
    const attempt = async () => {
        const response = await request.send();
        // A failed wait for the effect must not repeat the request.
        return lock?.lasts === "done" ? settled(effect(response)) : () => effect(response);
    };
    const end = await retryUntilAccepted(
        { ...request, send: () => (lock === undefined ? attempt() : withLock(lock.serviceId, attempt, operation)) },
        operation,
    );
    return end();
}

/** Sends a create request. What a lost one created is found by the caller, which knows what existed before. */
export function sendCreation<Response>(
    send: () => Promise<Response>,
    obstacle: () => Promise<Outcome>,
    operation: Operation,
): Promise<Response> {
    const request = { method: "POST", send, readsFirst: false, obstacle } as const;
    return perform(request, (response) => Promise.resolve(response), operation);
}

/** The result of a promise as a function, so that a rejection is thrown where the function is called. */
async function settled<T>(promise: Promise<T>): Promise<() => Promise<T>> {
    try {
        const value = await promise;
        return () => Promise.resolve(value);
    } catch (error) {
        return () => {
            throw error;
        };
    }
}

/**
 * Sends a request until the API accepts it or the operation times out. It fails much sooner where the cause of the rejections
 * is not pending.
 */
async function retryUntilAccepted<Response>(
    { method, send, readsFirst, obstacle }: Request<Response>,
    operation: Operation,
): Promise<Response> {
    const { subject, context, activity } = operation;
    const { clock, random } = context.wait;
    const beganAt = clock.now();
    const report = progressReporter(operation);
    const policy = new RetryPolicy(method);
    let rejectedMs = 0;
    for (;;) {
        try {
            return await send();
        } catch (error) {
            const reaction = policy.reactionTo(error, clock.now());
            if (reaction === "fail" || reaction === "repeat" || (reaction === "readFirst" && !readsFirst)) {
                // The client has repeated the request for as long as it may.
                throw error;
            }
            const cause = reaction === "wait" ? await obstacle() : pending("no valid response");
            const status = statusOf(error, cause);
            if (cause.kind === "pending") {
                rejectedMs = 0;
            } else if (rejectedMs >= rejectedWithinMs) {
                throw new RejectedError(subject, activity.kind ?? "the request", reasonOf(error, cause), error);
            }
            const elapsed = clock.now() - beganAt;
            report({ status, elapsedMs: elapsed, deadlineAt: context.deadlineAt });
            const pauseMs = Math.min(nextPoll(elapsed, random), Math.max(context.deadlineAt - clock.now(), 0));
            await clock.sleep(pauseMs, context.signal);
            if (clock.now() >= context.deadlineAt) {
                const waitedMs = clock.now() - beganAt;
                throw new WaitTimeoutError(subject, status, waitedMs, waitedMs, context.timeoutSetting);
            }
            // Only pauses count: the request may also have waited for the lock.
            rejectedMs += pauseMs;
        }
    }
}

/** Runs the work while no other change of the service is in progress. Times out if it does not get the lock before the deadline. */
function withLock<T>(serviceId: string, work: () => Promise<T>, { subject, context, activity }: Operation): Promise<T> {
    const { clock } = context.wait;
    const status = "waiting for another change of the service";
    return context.locks.withLock(serviceId, work, async (acquired) => {
        const beganAt = clock.now();
        context.status(activity.line(status));
        let release: () => void = () => undefined;
        const ended = new Promise<never>((_, reject) => {
            const onAbort = () => reject(context.signal?.reason as Error);
            const stop = clock.after(Math.max(context.deadlineAt - beganAt, 0), () => {
                const elapsed = clock.now() - beganAt;
                reject(new WaitTimeoutError(subject, status, elapsed, elapsed, context.timeoutSetting));
            });
            if (context.signal?.aborted) {
                onAbort();
            }
            context.signal?.addEventListener("abort", onAbort);
            release = () => {
                stop();
                context.signal?.removeEventListener("abort", onAbort);
            };
        });
        try {
            await Promise.race([acquired, ended]);
            context.status(activity.line());
        } finally {
            release();
        }
    });
}

/** A failed outcome is pending while this program changes the service: the change may remove the cause. */
export function unlessChanging(outcome: Outcome, serviceIds: readonly string[], context: OperationContext): Outcome {
    return outcome.kind === "failed" && serviceIds.some((id) => context.locks.isBusy(id))
        ? pending(outcome.status, outcome.reason)
        : outcome;
}

function statusOf(error: unknown, cause: Outcome): string {
    if (!isConflict(error)) {
        return "no valid response";
    }
    const known = cause.kind === "failed" ? cause.reason : cause.kind === "pending" ? cause.detail : undefined;
    const text = known ?? messageIn(error);
    return text ? `rejected (${text.replace(/\.$/, "")})` : "rejected, busy";
}

function reasonOf(error: unknown, cause: Outcome): string {
    if (cause.kind === "failed") {
        return cause.reason;
    }
    const message = messageIn(error) ?? "the API gave no reason";
    return `${message.replace(/\.?$/, ".")} Retries cannot succeed: remove the cause and run \`pulumi up\` again.`;
}

function messageIn(error: unknown): string | undefined {
    return (error as { apiMessage?: string }).apiMessage;
}

/** A call may last until the deadline of the operation. The status row shows what it waits for. */
export function callOptions(context: OperationContext): SharedCallOptions {
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
 * After its deadline, an operation has this long for what must not be lost: the response to a creation in flight, the search
 * for what it created, and the search for duplicates.
 */
const graceMs = 4_000;

/** The context of what an operation may still do after its deadline. */
export function withGrace(context: OperationContext): OperationContext {
    return { ...context, deadlineAt: context.deadlineAt + graceMs };
}

/** The error of an operation. If the deadline ended it, the error names the time limit. */
export function errorOf(error: unknown, subject: string, context: OperationContext): unknown {
    const { beganAt, deadlineAt, timeoutSetting } = context;
    const isTransient = reactionTo(error, "GET") === "repeat";
    return error instanceof DeadlineError || (isTransient && context.wait.clock.now() >= deadlineAt)
        ? new OperationTimeoutError(subject, deadlineAt - beganAt, messageOf(error), timeoutSetting, error)
        : error;
}
