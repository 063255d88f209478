import { CloudDbError, partsOf } from "../api/callErrors";
import type { State } from "../model/resource";
import { messages } from "./messages";

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
