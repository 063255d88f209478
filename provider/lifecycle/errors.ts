import { ApiError, CallError, CloudDbError, DeadlineError, partsOf, ProjectNotFoundError } from "../api/callErrors";
import type { AnyOperation } from "../model/operation";
import type { State } from "../model/resource";
import { messages, type Verb } from "./messages";

/**
 * An operation failed after the resource existed: its id and the known values go into the state, and the next run
 * resumes.
 */
export class PartialFailure extends CloudDbError {
    constructor(
        readonly id: string,
        readonly state: State,
        cause: unknown,
    ) {
        super({ ...partsOf(cause), cause });
    }
}

/** An existing resource cannot be adopted. */
export class AdoptionError extends CloudDbError {
    constructor(existingId: string, reason: string) {
        super(messages.adoptionRefused(existingId, reason));
    }
}

/**
 * Does the work of one operation on a resource. The error of a request (`CallError`) gets a message that names the resource and what
 * was not done. That of a request that has no more time (`DeadlineError`) gets one with the time limit. All other errors, such as the
 * timeout of a wait, name the resource already and pass unchanged.
 */
export async function inOperation<T>(
    verb: Verb,
    { subject, context }: Pick<AnyOperation, "subject" | "context">,
    work: () => Promise<T>,
): Promise<T> {
    try {
        return await work();
    } catch (error) {
        const { beganAt, deadlineAt, timeoutSetting } = context;
        if (error instanceof DeadlineError) {
            throw new CloudDbError(messages.operationTimedOut(subject, deadlineAt - beganAt, timeoutSetting, error));
        }
        // The cause is the token or the project, whatever the resource.
        const isOfAny = error instanceof ProjectNotFoundError || (error instanceof ApiError && error.status === 401);
        throw error instanceof CallError && !isOfAny
            ? new CloudDbError(messages.operationFailed(subject, verb, error))
            : error;
    }
}
