import { CloudDbError, partsOf, type CallFailure } from "../api/callErrors";
import type { State } from "../model/resource";
import { messages, type NameHolder, type Verb } from "./messages";

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

/** The API rejected a request of an operation on one resource, or did not respond. */
export class OperationFailedError extends CloudDbError {
    constructor(
        subject: string,
        verb: Verb,
        readonly failure: CallFailure,
    ) {
        super({ ...messages.operationFailed({ subject, verb, failure }), cause: failure });
    }
}

/** The project already has resources with the name of a new one. */
export class AlreadyExistsError extends CloudDbError {
    readonly existing: readonly [NameHolder, ...NameHolder[]];

    constructor(facts: Parameters<typeof messages.alreadyExists>[0]) {
        super(messages.alreadyExists(facts));
        this.existing = facts.existing;
    }
}

/** An existing resource cannot be adopted. */
export class AdoptionError extends CloudDbError {
    constructor(existingId: string, reason: string) {
        super(messages.adoptionRefused({ existingId, reason }));
    }
}
