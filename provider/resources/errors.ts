import { CloudDbError, messageOf } from "../api/errors";

/** Something failed after the thing came to be: its id and all that is known go into the state, and the next run goes on. */
export class PartialFailure extends CloudDbError {
    constructor(
        readonly id: string,
        readonly state: object,
        cause: unknown,
    ) {
        super(messageOf(cause), { cause });
    }
}

/** Something of this name is there already, and this stack does not know it. */
export class TwinError extends CloudDbError {
    constructor(
        readonly subject: string,
        readonly existingId: string,
        /** How long it has been there, in words; empty where that is not known. */
        age: string,
    ) {
        super(
            `${subject} exists already (${existingId}${age === "" ? "" : `, made ${age} ago`}), and not as this resource. ` +
                `If the resource was renamed in the program, give it the old name as an alias. ` +
                `Else take it over with existingId: ${JSON.stringify(existingId)}, or choose another name. ` +
                `After \`pulumi up --replace\` it is the old one: use \`pulumi destroy --target\` and then \`pulumi up\`.`,
        );
    }
}

/** The answer to a creation was lost, and more than one has come to be since that it may have made. */
export class AmbiguousError extends CloudDbError {
    constructor(subject: string, ids: readonly string[]) {
        const lines = ids.map((id) => `existingId: ${JSON.stringify(id)}`).join(" or ");
        super(
            `${subject}: the answer to its creation was lost, and ${ids.length} of that name have come to be since. ` +
                `Find out which one nobody else has made, and take it over with ${lines}.`,
        );
    }
}

/** An existing thing cannot be taken over. */
export class AdoptionError extends CloudDbError {
    constructor(existingId: string, reason: string) {
        super(
            `existingId ${JSON.stringify(existingId)} cannot be taken over: ${reason}. ` +
                `Correct the id or the program, or leave existingId out to make a new one.`,
        );
    }
}

/** It must not be deleted or replaced. */
export class ProtectedError extends CloudDbError {}
