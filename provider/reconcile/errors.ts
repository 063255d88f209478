import { CloudDbError, messageOf } from "../api/errors";

/** The API rejected a request, and retries cannot succeed until somebody removes the cause. */
export function requestRejected(
    subject: string,
    /** The rejected operation. */
    operation: string,
    /** Why, and what to do about it. */
    reason: string,
    cause: unknown,
): CloudDbError {
    return new CloudDbError(`${subject}: ${operation} was rejected: ${reason}`, { cause });
}

/** Another resource that a change needs does not accept it, and waiting does not help. */
export function needsOther(
    subject: string,
    { noun, id }: { readonly noun: string; readonly id: string },
    { status, reason }: { readonly status: string; readonly reason: string },
): CloudDbError {
    return new CloudDbError(`${subject} needs ${noun} ${id}, which is ${status}: ${reason}`);
}

/** The API accepted steps, but the resource does not show their effect. */
export function withoutEffect(
    subject: string,
    steps: readonly StepText[],
    /** The properties that do not show it. */
    missing: readonly string[],
    /** How the effect was missing. */
    detail: string,
): CloudDbError {
    const texts = steps.map(({ text }) => text).join('", "');
    const remedies = steps.flatMap(({ ifUnsupported = [] }) => ifUnsupported);
    const remedy = remedies[0] ?? "Declare the value that the API shows, or remove the property.";
    return new CloudDbError(
        `${subject}: the API accepted "${texts}" without lasting effect (${missing.join("; ")}). ${detail} ${remedy}`,
    );
}

/** The API rejected the request of a step that it may not support. */
export function unsupported(subject: string, { text, ifUnsupported = "" }: StepText, failure: unknown): CloudDbError {
    return new CloudDbError(`${subject}: the API rejected "${text}": ${messageOf(failure)} ${ifUnsupported}`, {
        cause: failure,
    });
}

/** A step in a message. */
interface StepText {
    readonly text: string;
    readonly ifUnsupported?: string;
}

/** An input contains the id of a resource that the project does not have. */
export function missingReference(
    subject: string,
    /** The input, for example `fork.serviceId`. */
    property: string,
    id: string,
    noun: string,
    projectId: string,
): CloudDbError {
    return new CloudDbError(
        `${subject}: ${property} ${JSON.stringify(id)} is not the id of a ${noun} in project ${JSON.stringify(projectId)}. ` +
            `Correct ${property} in the program, or the project in \`clouddb:projectId\`.`,
    );
}
