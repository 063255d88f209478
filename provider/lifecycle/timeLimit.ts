import { isCallFailure, DeadlineError, RequestedPauseError } from "../api/errors";
import { reactionTo } from "../api/retry";
import type { OperationContext } from "../contract/operation";
import { operationFailed, operationTimedOut, pauseRequested, type Verb } from "./errors";

/**
 * After its deadline, an operation has this long to receive the response to a creation in flight, to find what a lost
 * response created, and to find duplicates.
 */
const graceMs = 4_000;

/** The context for the work that an operation may still do after its deadline. */
export function withGrace(context: OperationContext): OperationContext {
    return { ...context, deadlineAt: context.deadlineAt + graceMs };
}

/** The error of an operation. If the deadline ended it, the error names the time limit, unless the API requested a pause. */
export function errorOf(error: unknown, subject: string, verb: Verb, context: OperationContext): unknown {
    if (error instanceof RequestedPauseError) {
        return pauseRequested(subject, error);
    }
    const { beganAt, deadlineAt, timeoutSetting } = context;
    const isTransient = reactionTo(error, "GET") === "repeat";
    if (error instanceof DeadlineError || (isTransient && context.clock.now() >= deadlineAt)) {
        return operationTimedOut(subject, deadlineAt - beganAt, timeoutSetting, error);
    }
    return isCallFailure(error) ? operationFailed(subject, verb, error) : error;
}
