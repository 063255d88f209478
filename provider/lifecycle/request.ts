import type { CallOptions } from "../api/client";
import type { Recover } from "../api/retry";
import type { Reaction } from "../api/retryPolicy";
import { WaitTimeoutError } from "../wait/errors";
import { pending, type Outcome } from "../wait/outcome";
import { nextPoll, rejectedWithinMs } from "../wait/schedule";
import { requestRejected } from "./errors";
import { callOptions, progressReporter, type Operation } from "./operation";
import { ServiceLock } from "./serviceLock";

/** A request that changes a resource. */
export interface Request<Response> {
    /** Sends the request. With these options, the client repeats it after a failure. */
    readonly send: (options: CallOptions) => Promise<Response>;
    /**
     * After a failure, reads whether the request has taken effect, or what prevents it. A pending obstacle disappears
     * without intervention, and `ready` means that the read shows no obstacle. Throws if the request cannot succeed.
     */
    readonly findObstacle: (failure: unknown, reaction: Exclude<Reaction, "repeat">) => Promise<"inEffect" | Outcome>;
    /** Before the request is sent again, reads whether a lost one has taken effect. Absent if no read is needed. */
    readonly lostOneTookEffect?: () => Promise<boolean>;
}

/** The obstacle of a request that got no valid response: its effect is not known yet. */
export const noValidResponse = pending("no valid response");

/**
 * Sends a request until the API accepts it, and waits for its effect. Meanwhile, the operation holds its lock. It
 * releases the lock after each failure that the client does not simply repeat, because another change of the service
 * may be the cause.
 */
export async function perform<Response, Result>(
    request: Request<Response>,
    effect: (response: Response) => Promise<Result>,
    operation: Operation,
): Promise<Result> {
    const lock = new ServiceLock(operation);
    await lock.acquire();
    try {
        const recover = recoverFrom(request, lock, operation);
        const response = await request.send({ ...callOptions(operation.context), recover });
        if (operation.lock?.lasts === "untilResponse") {
            lock.release();
        }
        return await effect(response);
    } finally {
        lock.release();
    }
}

/** Sends a create request. If its response is lost, the caller finds what it created: it knows what existed before. */
export function sendCreation<Response>(
    send: (options: CallOptions) => Promise<Response>,
    obstacle: () => Promise<Outcome>,
    operation: Operation,
): Promise<Response> {
    const findObstacle: Request<Response>["findObstacle"] = (failure, reaction) => {
        if (reaction !== "wait") {
            throw failure;
        }
        return obstacle();
    };
    return perform({ send, findObstacle }, (response) => Promise.resolve(response), operation);
}

/**
 * Pauses after each failure until the operation times out. Fails much sooner if the obstacle does not disappear by
 * itself.
 */
function recoverFrom<Response>(
    { findObstacle, lostOneTookEffect }: Request<Response>,
    lock: ServiceLock,
    operation: Operation,
): Recover {
    const { subject, context, activity } = operation;
    const { clock, random } = context.wait;
    const beganAt = clock.now();
    const report = progressReporter(operation);
    let rejectedMs = 0;
    return async (failure, reaction) => {
        lock.release();
        const obstacle = await findObstacle(failure, reaction);
        if (obstacle === "inEffect") {
            if (operation.lock?.lasts === "untilEffect") {
                await lock.acquire();
            }
            return "done";
        }
        const status = reaction === "wait" ? rejectedStatus(failure, obstacle) : statusOf(obstacle);
        if (obstacle.kind === "pending") {
            rejectedMs = 0;
        } else if (rejectedMs >= rejectedWithinMs) {
            throw requestRejected(subject, activity.request ?? "the request", reasonOf(failure, obstacle), failure);
        }
        const elapsed = clock.now() - beganAt;
        report({ status, elapsedMs: elapsed, deadlineAt: context.deadlineAt });
        const pauseMs = Math.min(nextPoll(elapsed, random()), Math.max(context.deadlineAt - clock.now(), 0));
        await clock.sleep(pauseMs, context.signal);
        if (clock.now() >= context.deadlineAt) {
            const waitedMs = clock.now() - beganAt;
            throw new WaitTimeoutError(subject, status, waitedMs, waitedMs, context.timeoutSetting);
        }
        // Only pauses count as rejected time, not the time in the queue for the lock.
        rejectedMs += pauseMs;
        await lock.acquire();
        return (await lostOneTookEffect?.()) ? "done" : "repeat";
    };
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
