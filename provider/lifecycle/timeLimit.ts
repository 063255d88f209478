import { isCallFailure, DeadlineError } from "../api/callErrors";
import { isTransient } from "../api/retry";
import type { Context } from "../model/context";
import { operationFailed, operationTimedOut, type Verb } from "./errors";

/**
 * After its deadline, an operation has this long to receive the response to a creation in flight, to find what a lost
 * response created, and to find duplicates.
 */
const graceMs = 4_000;

/** The context for the work that an operation may still do after its deadline. */
export function withGrace(context: Context): Context {
    return { ...context, deadlineAt: context.deadlineAt + graceMs };
}

/**
 * Does the work of one operation on a resource. Its error names the resource and what was not done, or the time limit that has
 * passed, or would pass in a pause that the API asks for.
 */
export async function inOperation<T>(
    verb: Verb,
    subject: string,
    context: Context,
    work: () => Promise<T>,
): Promise<T> {
    try {
        return await work();
    } catch (error) {
        const { beganAt, deadlineAt, timeoutSetting } = context;
        const isLate = isTransient(error) && context.clock.now() >= deadlineAt;
        if (error instanceof DeadlineError || isLate) {
            throw operationTimedOut(subject, deadlineAt - beganAt, timeoutSetting, error);
        }
        throw isCallFailure(error) ? operationFailed(subject, verb, error) : error;
    }
}
