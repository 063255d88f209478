import { CloudDbError, partsOf } from "../api/callErrors";
import { sentence, way } from "../base/message";
import type { Outcome } from "../model/outcome";
import { lineOf, type Step } from "../model/step";
import { createsAgain } from "../observe/wait";

/** Another resource that a change needs does not accept it, and waiting does not help. */
export function needsOther(
    subject: string,
    { noun, id }: { readonly noun: string; readonly id: string },
    { status, reason, ways = [] }: Extract<Outcome, { phase: "failed" }>,
): CloudDbError {
    return new CloudDbError({ what: sentence(`${subject} needs ${noun} ${id}, which is ${status}: ${reason}`), ways });
}

/** The API accepted steps, but the resource does not show their effect. */
export function withoutEffect(
    subject: string,
    steps: readonly StepLine[],
    /** The properties that do not show it. */
    missing: readonly string[],
    /** How the effect was missing. */
    detail: string,
): CloudDbError {
    const texts = steps.map(lineOf).join('", "');
    const [remedy = "declare the value that the API shows, or remove the property"] = steps.flatMap(
        ({ ifUnsupported = [] }) => ifUnsupported,
    );
    return new CloudDbError({
        what: `${subject}: the API accepted "${texts}" without lasting effect (${missing.join("; ")}). ${detail}`,
        ways: [way("Continue", remedy)],
    });
}

/** The API rejected the request of a step that it may not support. */
export function unsupported(subject: string, step: StepLine, failure: unknown): CloudDbError {
    const { ifUnsupported } = step;
    const ways = ifUnsupported === undefined ? [] : [way("Continue", ifUnsupported)];
    const what = `${subject}: the API rejected "${lineOf(step)}": ${partsOf(failure).what}`;
    return new CloudDbError({ what, ways, cause: failure });
}

/** A step in a message. */
type StepLine = Pick<Step, "title" | "note" | "disruption" | "ifUnsupported">;

/** An input contains the id of a resource that the project does not have. */
export function missingReference(
    subject: string,
    /** The input, for example `fork.serviceId`. */
    property: string,
    id: string,
    noun: string,
    projectId: string,
    /** Where the project is declared. */
    setting: string,
): CloudDbError {
    return new CloudDbError({
        what: `${subject}: ${property} ${JSON.stringify(id)} is not the id of a ${noun} in project ${JSON.stringify(projectId)}.`,
        ways: [way("Correct", `${property} in the program, or the project (${setting})`)],
    });
}

/** A resource of the program that an input refers to was deleted outside of it. */
export function deletedReference(subject: string, other: string): CloudDbError {
    return new CloudDbError({ what: `${subject} needs ${other}, which no longer exists.`, ways: [createsAgain] });
}
