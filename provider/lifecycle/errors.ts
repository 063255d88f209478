import { CloudDbError, messageOf } from "../api/errors";
import { formatDuration } from "../wait/duration";
import type { Call, Step } from "./resource";
import { describeDifferences, type Difference } from "./differences";

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

/** An error of a resource that an earlier run did not complete: that may be the cause, so the message says it first. */
export class UnfinishedError extends CloudDbError {
    constructor(cause: unknown) {
        super(`An earlier run was interrupted or failed before this resource was complete. ${messageOf(cause)}`, {
            cause,
        });
    }
}

/** Something of this name is there already, and this stack does not know it. */
export class AlreadyExistsError extends CloudDbError {
    constructor(
        readonly subject: string,
        readonly existingId: string,
        /** How long it has been there, in words; empty where that is not known. */
        age: string,
    ) {
        super(
            `An interrupted run may have created it: ${subject} exists already ` +
                `(${existingId}${age === "" ? "" : `, created ${age} ago`}), and not as this resource. ` +
                `If the resource was renamed in the program, add its old name as an alias. ` +
                `If no other stack or person uses it, adopt it with existingId: ${JSON.stringify(existingId)}. ` +
                `Otherwise choose another name. ` +
                `After --replace or a taint it is the old one: keep it with \`pulumi state untaint\`, ` +
                `or delete it and its data with \`pulumi destroy --target\`.`,
        );
    }
}

/** The response to a create request was lost, and the only new resource that fits may be somebody else's. */
export class OwnershipError extends CloudDbError {
    constructor(
        readonly subject: string,
        readonly existingId: string,
        /** How long ago it was created, in words; empty where that is not known. */
        age: string,
        cause: unknown,
    ) {
        super(
            `${subject}: the response to its creation was lost. Either this run or somebody else has created ` +
                `${existingId}${age === "" ? "" : ` (${age} ago)`}. ` +
                `If no other stack or person uses it, adopt it with existingId: ${JSON.stringify(existingId)}. ` +
                `Otherwise declare a different one.`,
            { cause },
        );
    }
}

/** The response to a create request was lost, and there are several new resources that it may have created. */
export class AmbiguousError extends CloudDbError {
    constructor(subject: string, ids: readonly string[], cause: unknown) {
        const lines = ids.map((id) => `existingId: ${JSON.stringify(id)}`).join(" or ");
        super(
            `${subject}: the response to its creation was lost, and ${ids.length} of that name were created since. ` +
                `Find out which one no other stack or person uses, and adopt it with ${lines}.`,
            { cause },
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

/** existingId names another resource than the one that is managed, or one that is replaced. */
export class ExistingIdError extends CloudDbError {}

/** The engine replaces it although the program does not allow that. */
export class ReplacedError extends CloudDbError {
    constructor(
        noun: string,
        readonly id: string,
        /** What was created in its place. */
        readonly successorId?: string,
    ) {
        const what = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${id}`;
        const allow = "To delete it and its data, set allowReplace: true and run `pulumi up`.";
        super(
            successorId === undefined
                ? `${what} would be replaced by a new one (--replace, taint), ` +
                      `and its data would be lost. To keep it, set existingId: ${JSON.stringify(id)}. ${allow}`
                : `${what} is not deleted: ${successorId} replaced it without allowReplace. ${allow} ` +
                      `To keep it and delete ${successorId}, set existingId: ${JSON.stringify(id)} and allowReplace: true, ` +
                      `and run \`pulumi up --replace\` for this resource.`,
        );
    }
}

/** The API rejected a request for something that does not pass by itself. */
export class RejectedError extends CloudDbError {
    constructor(
        subject: string,
        /** The rejected operation. */
        operation: string,
        /** Why, and what to do about it. */
        reason: string,
        cause: unknown,
    ) {
        super(`${subject}: ${operation} was rejected: ${reason}`, { cause });
    }
}

/** The API accepted steps, and the resource is not as they should have made it. */
export class IneffectiveError extends CloudDbError {
    private constructor(
        subject: string,
        texts: readonly string[],
        found: readonly Difference[],
        detail: string,
        /** The calls that are not sent again before the state is refreshed. */
        readonly calls: readonly Call[],
    ) {
        super(
            `${subject}: the API accepted "${texts.join('", "')}" without lasting effect (${describeDifferences(found)}). ` +
                `${detail} Declare what the API shows, or leave the property out.`,
        );
    }

    /** After a time at rest in which the effect did not show. */
    static after(subject: string, { text, call }: StepText, found: readonly Difference[], restMs: number) {
        return new IneffectiveError(subject, [text], found, `It was at rest for ${formatDuration(restMs)}.`, [call]);
    }

    /** An earlier run sent the step. */
    static before(subject: string, { text, call }: StepText, found: readonly Difference[]) {
        const detail = "An earlier run sent it; `pulumi refresh` allows to send it again.";
        return new IneffectiveError(subject, [text], found, detail, [call]);
    }

    /** The steps showed their effect, and would follow again. */
    static undone(subject: string, steps: readonly StepText[], found: readonly Difference[]) {
        const texts = steps.map(({ text }) => text);
        return new IneffectiveError(
            subject,
            texts,
            found,
            "The effect was visible before: something else changes it.",
            [],
        );
    }
}

/** The resource exists, and the API does not have the operation that a step needs. */
export class UnsupportedError extends CloudDbError {
    constructor(
        subject: string,
        /** The call that the API does not have. */
        readonly call: Call,
        status: number,
        /** What the user can do. */
        remedy: string,
        cause: unknown,
    ) {
        super(
            `${subject}: the API does not have the operation ${call.operation} (answered ${status}, although the resource exists). ${remedy}`,
            { cause },
        );
    }
}

type StepText = Pick<Step<unknown>, "text" | "call">;

/** The program moved a resource under another parent: the engine created a new one and deletes the old one. */
export class MovedError extends CloudDbError {
    constructor(
        noun: string,
        readonly id: string,
        urn: string,
        newUrn: string,
    ) {
        super(
            `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${id} is not deleted: this run created a new, empty one with the ` +
                `same resource name under another parent. If you moved the resource, run \`pulumi destroy --target '${newUrn}'\`, ` +
                `add aliases: ["${urn}"] to its options, and run \`pulumi up\`. To delete ${id}, run \`pulumi up\` again.`,
        );
    }
}

/** It must not be deleted or replaced. */
export class ProtectedError extends CloudDbError {}

/** A program reads a resource with `.get`, and there is none with this id. */
export class MissingResourceError extends CloudDbError {
    constructor(noun: string, id: string, projectId: string) {
        super(
            `There is no ${noun} ${JSON.stringify(id)} in project ${JSON.stringify(projectId)}. ` +
                `Correct the id in the program, or the project in \`clouddb:projectId\`.`,
        );
    }
}
