import type { CallOptions } from "../api/client";
import type { CallFailure } from "../api/errors";
import { RetryPolicy, type Method, type Reaction } from "../api/retryPolicy";
import { WaitTimeoutError } from "../wait/errors";
import { pending, type Outcome } from "../wait/outcome";
import { nextPoll, rejectedWithinMs } from "../wait/schedule";
import { requestRejected } from "./errors";
import { callOptions, progressReporter, type Lock } from "./operation";
import type { Kind, Operation } from "./resource";
import { ServiceLock } from "./serviceLock";

/**
 * A request that changes a resource, and what to read after a failure. The client has repeated the request as far as that
 * needs no read. A failure without a function is final.
 */
export interface Request<Response> {
    readonly method: Exclude<Method, "GET">;
    readonly send: (options: CallOptions) => Promise<Response>;
    /** The API rejected the request because of the state of a resource: reads the reason. */
    readonly afterConflict?: () => Promise<Found<Response>>;
    /** The API may have processed the request without a valid response. */
    readonly afterLoss?: (failure: unknown) => Promise<Found<Response>>;
    /** The failure is final, for example because the API rejected the request itself. */
    readonly afterRejection?: (failure: unknown) => Promise<Found<Response>>;
    /** Before the request is sent again, reads whether a lost one has taken effect. Absent if no read is needed. */
    readonly lostOneTookEffect?: () => Promise<boolean>;
}

/**
 * What was found after a failure: that the request is in effect, or what prevents it. A pending obstacle disappears without
 * intervention, and `ready` means that there is no obstacle.
 */
type Found<Response> = Outcome | { readonly kind: "inEffect"; readonly response: Response };

/** A change that is in effect without a response. */
export const inEffect = { kind: "inEffect", response: undefined } as const;

/** The obstacle of a request that got no valid response: its effect is not known yet. */
export const noValidResponse = pending("no valid response");

/** A part of an operation that sends a request. */
type Sender = Pick<Operation<Kind>, "subject" | "context" | "activity">;

/**
 * Sends a request until the API accepts it, and waits for its effect. Meanwhile, the operation holds the lock. It releases
 * the lock after each failure that the client does not simply repeat, because another change of the service may be the
 * cause.
 */
export async function perform<Response, Result>(
    request: Request<Response>,
    effect: (response: Response | undefined) => Promise<Result>,
    sender: Sender,
    lock: Lock | undefined,
): Promise<Result> {
    const held = new ServiceLock(lock, sender);
    await held.acquire();
    try {
        const response = await sendUntilAccepted(request, held, sender);
        if (lock?.lasts === "untilResponse") {
            held.release();
        } else {
            await held.acquire();
        }
        return await effect(response);
    } finally {
        held.release();
    }
}

/** Sends the request, and after a failure waits and sends it again. The response is undefined if a read showed the effect. */
async function sendUntilAccepted<Response>(
    request: Request<Response>,
    lock: ServiceLock,
    sender: Sender,
): Promise<Response | undefined> {
    const { subject, context } = sender;
    const { clock, random, deadlineAt, timeoutSetting } = context;
    const policy = new RetryPolicy(request.method);
    const report = progressReporter(sender);
    const beganAt = clock.now();
    let rejectedMs = 0;
    for (;;) {
        let failure: unknown;
        try {
            return await request.send(callOptions(context));
        } catch (error) {
            failure = error;
        }
        lock.release();
        const reaction = policy.reactionTo(failure, clock.now());
        const found = await findObstacle(request, failure, reaction);
        if (found.kind === "inEffect") {
            return found.response;
        }
        const status = reaction === "wait" ? rejectedStatus(failure, found) : statusOf(found);
        if (found.kind === "pending") {
            rejectedMs = 0;
        } else if (rejectedMs >= rejectedWithinMs) {
            // Fails much sooner than at the deadline, because the obstacle does not disappear by itself.
            throw requestRejected(subject, (failure as CallFailure).operation, reasonOf(failure, found), failure);
        }
        const elapsed = clock.now() - beganAt;
        report({ status, elapsedMs: elapsed, deadlineAt });
        const pauseMs = Math.min(nextPoll(elapsed, random()), Math.max(deadlineAt - clock.now(), 0));
        await clock.sleep(pauseMs, context.signal);
        if (clock.now() >= deadlineAt) {
            const waitedMs = clock.now() - beganAt;
            throw new WaitTimeoutError(subject, status, waitedMs, waitedMs, timeoutSetting);
        }
        // Only pauses count as rejected time, not the time in the queue for the lock.
        rejectedMs += pauseMs;
        await lock.acquire();
        if (await request.lostOneTookEffect?.()) {
            return undefined;
        }
    }
}

/** Reads what the reaction to a failure asks for. Throws the failure if it is final. */
async function findObstacle<Response>(
    { afterConflict, afterLoss, afterRejection }: Request<Response>,
    failure: unknown,
    reaction: Reaction,
): Promise<Found<Response>> {
    // The client has repeated a failure with the reaction "repeat" for as long as it may.
    const find = { wait: afterConflict, readFirst: afterLoss, fail: afterRejection, repeat: undefined }[reaction];
    if (find === undefined) {
        throw failure;
    }
    return find(failure);
}

function statusOf(obstacle: Outcome): string {
    return obstacle.kind === "ready" ? "retrying" : obstacle.status;
}

function rejectedStatus(failure: unknown, obstacle: Outcome): string {
    const known =
        obstacle.kind === "failed" ? obstacle.reason : obstacle.kind === "pending" ? obstacle.detail : undefined;
    const text = known ?? messageIn(failure);
    return text ? `rejected (${text.replace(/\.$/, "")})` : "rejected, busy";
}

function reasonOf(failure: unknown, obstacle: Outcome): string {
    if (obstacle.kind === "failed") {
        return obstacle.reason;
    }
    const message = messageIn(failure) ?? "the API gave no reason";
    return `${message.replace(/\.?$/, ".")} Retries cannot succeed: remove the cause and run \`pulumi up\` again.`;
}

function messageIn(error: unknown): string | undefined {
    return (error as { apiMessage?: string }).apiMessage;
}
