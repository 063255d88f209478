import { CloudDbError, messageOf } from "../api/errors";
import { logicalName } from "../inputs/names";
import { formatDuration } from "../wait/duration";
import type { Call, Step } from "./resource";
import { describeDifferences, type PropertyDifference } from "./differences";

/**
 * An operation failed after the resource existed: its id and the known values go into the state, and the next run
 * resumes.
 */
export class PartialFailure extends CloudDbError {
    constructor(
        readonly id: string,
        readonly state: object,
        cause: unknown,
    ) {
        super(messageOf(cause), { cause });
    }

    /** The same failure, with more in its state. */
    with(records: object): PartialFailure {
        return new PartialFailure(this.id, { ...this.state, ...records }, this.cause);
    }
}

/**
 * An error of a resource that an earlier run did not complete. The message begins with this, because it may be the
 * cause.
 */
export function afterUnfinishedRun(cause: unknown): CloudDbError {
    return new CloudDbError(
        `An earlier run was interrupted or failed before this resource was complete. ${messageOf(cause)}`,
        { cause },
    );
}

/** A resource of the API. */
export interface Existing {
    readonly id: string;
    /** How long ago it was created, as text; empty if that is not known. */
    readonly age: string;
}

/** An existing resource with the name of a declared one. */
export interface NameHolder extends Existing {
    /** Why it cannot be adopted as the declared resource; undefined if it can. */
    readonly refusal: string | undefined;
}

/** Where the name of a declared resource comes from: the program, its URN, or nowhere if its kind has no names. */
export type NameOrigin = "declared" | "generated" | "none";

/**
 * The likely causes of a taken name, by the origin of the name. A stack in another backend can have the same URN, so a
 * generated name is not proof.
 */
const likelyCauses: Readonly<Record<NameOrigin, (it: string) => string>> = {
    generated: (it) =>
        `The name is generated for this resource: probably an interrupted run of this stack created ${it}, ` +
        `or this resource is replaced (--replace, taint).`,
    declared: (it) =>
        `An interrupted run, another stack or a person created ${it}, ` +
        `or this resource was renamed (then add its old name as an alias) or is replaced (--replace, taint).`,
    none: (it) => `An interrupted run, another stack or a person created ${it}.`,
};

/** The project already has resources with this name, and as far as the run knows, the stack does not manage them. */
export class AlreadyExistsError extends CloudDbError {
    constructor(
        readonly subject: string,
        readonly existing: readonly [NameHolder, ...NameHolder[]],
        origin: NameOrigin,
    ) {
        const adoptable = existing.filter(({ refusal }) => refusal === undefined).map(({ id }) => id);
        const blocked = existing.filter(({ refusal }) => refusal !== undefined);
        const found = existing.map(({ id, age }) => (age === "" ? id : `${id} (created ${age} ago)`)).join(" and ");
        const [it, has] = existing.length === 1 ? ["it", "has"] : ["them", "have"];
        const hasName = origin !== "none";
        super(
            `${subject} already exists: ${found}${hasName ? ` ${has} this name` : ""}. ${likelyCauses[origin](it)} ` +
                blocked.map(({ id, refusal }) => `${id} cannot be adopted: ${refusal ?? ""}. `).join("") +
                (adoptable.length > 0
                    ? `If no other stack or person uses it, adopt it with ${existingIdLines(adoptable)}. ` +
                      `Otherwise ${hasName ? "choose another name" : "delete it"}.`
                    : hasName
                      ? "Choose another name, or delete it if nobody uses it."
                      : "Delete it if nobody uses it."),
        );
    }
}

/** Another resource of the program manages the resource that has this name, for example under its former name. */
export function nameInUse(subject: string, id: string, manager: string): CloudDbError {
    return new CloudDbError(
        `${subject} already exists: resource ${manager} of this program manages it (${id}). Declare another \`name\`. ` +
            `A resource that is renamed in the program keeps its generated name.`,
    );
}

/** The response to a create request was lost, and it is not certain which resource the request created. */
export class UncertainCreationError extends CloudDbError {
    constructor(
        /** The resources that it may have created. */
        readonly ids: readonly string[],
        message: string,
        cause: unknown,
    ) {
        super(message, { cause });
    }
}

/** The response to a create request was lost, and somebody else may have created the only new resource that matches. */
export function unprovenCreation(subject: string, existing: Existing, cause: unknown): UncertainCreationError {
    const { id, age } = existing;
    return new UncertainCreationError(
        [id],
        `${subject}: the response to its creation was lost. Either this run or somebody else created ` +
            `${id}${age === "" ? "" : ` (${age} ago)`}. ` +
            `If no other stack or person uses it, adopt it with ${existingIdLines([id])}. ` +
            `Otherwise choose another name.`,
        cause,
    );
}

/** The response to a create request was lost, and several new resources match. */
export function ambiguousCreation(subject: string, ids: readonly string[], cause: unknown): UncertainCreationError {
    return new UncertainCreationError(
        ids,
        `${subject}: the response to its creation was lost, and ${ids.length} resources with that name have since ` +
            `appeared. Find out which one no other stack or person uses, and adopt it with ${existingIdLines(ids)}.`,
        cause,
    );
}

/** An existing resource cannot be adopted. */
export class AdoptionError extends CloudDbError {
    constructor(existingId: string, reason: string) {
        super(
            `existingId ${JSON.stringify(existingId)} cannot be adopted: ${reason}. ` +
                `Correct the id or the program, or remove existingId to create a new resource.`,
        );
    }
}

/** What a deletion deletes. Undefined if it is not known whether it keeps a last copy of the data. */
function withData(id: string, keepsLastCopy: boolean | undefined): string {
    if (keepsLastCopy === undefined) {
        return `${id}, and its data unless a last copy keeps it`;
    }
    return keepsLastCopy ? id : `${id} and its data`;
}

/** The engine replaces a resource, and the program does not allow that. */
export function replacedWithoutPermission(
    noun: string,
    id: string,
    keepsLastCopy: boolean,
    /** The resource that replaced it. Absent before the replacement. */
    successorId?: string,
): CloudDbError {
    const what = `${capitalized(noun)} ${id}`;
    const loss = keepsLastCopy ? "its data would remain in a last copy" : "its data would be lost";
    const allow = `To delete ${withData("it", keepsLastCopy)}, set allowReplace: true and run \`pulumi up\`.`;
    return new CloudDbError(
        successorId === undefined
            ? `${what} would be replaced by a new one (--replace, taint), ` +
                  `and ${loss}. To keep it, set existingId: ${JSON.stringify(id)}. ${allow}`
            : `${what} is not deleted: ${successorId} replaced it without allowReplace. ${allow} ` +
                  `To keep it and delete ${successorId}, set existingId: ${JSON.stringify(id)} and allowReplace: true, ` +
                  `and run \`pulumi up --replace\` for this resource.`,
    );
}

/** An operation reached its deadline. Nothing is rolled back. */
export function operationTimedOut(
    subject: string,
    limitMs: number,
    reason: string,
    /** The setting for the time limit. */
    setting: string,
    cause: unknown,
): CloudDbError {
    return new CloudDbError(
        `${subject} did not complete within its time limit of ${formatDuration(limitMs)}: ${reason} ` +
            `Nothing was rolled back. Run the same command again to resume, or increase ${setting}.`,
        { cause },
    );
}

/** The state already has the resource, and its import option names another one. */
export function importChanged(
    { noun, allowsReplacement }: { readonly noun: string; readonly allowsReplacement?: unknown },
    id: string,
    importedId: string,
    keepsLastCopy: boolean | undefined,
): CloudDbError {
    const permission =
        allowsReplacement === undefined ? "" : ` To delete ${withData(id, keepsLastCopy)}, set allowReplace: true.`;
    return new CloudDbError(
        `${capitalized(noun)} ${id} is not deleted: the import option now names ${importedId}, and Pulumi replaces ${id} ` +
            `with it. To keep ${id}, set the option to ${JSON.stringify(id)} and run \`pulumi up\`: ${importedId} is then ` +
            `not managed and not changed. To manage ${importedId} and leave ${id} unmanaged, do that, then run ` +
            `\`pulumi state delete\` for this resource and change the option again.${permission}`,
    );
}

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

/** The API accepted steps, but the resource does not show their effect. */
export class IneffectiveError extends CloudDbError {
    private constructor(
        subject: string,
        texts: readonly string[],
        found: readonly PropertyDifference[],
        detail: string,
        /** The calls that are not sent again before the state is refreshed. */
        readonly calls: readonly Call[],
    ) {
        super(
            `${subject}: the API accepted "${texts.join('", "')}" without lasting effect (${describeDifferences(found)}). ` +
                `${detail} Declare the value that the API shows, or remove the property.`,
        );
    }

    /** The resource was at rest for some time without showing the effect. */
    static withoutEffect(
        subject: string,
        { text, call }: StepText,
        found: readonly PropertyDifference[],
        restMs: number,
    ) {
        return new IneffectiveError(subject, [text], found, `It was at rest for ${formatDuration(restMs)}.`, [call]);
    }

    /** An earlier run sent the step. */
    static notRepeated(subject: string, { text, call }: StepText, found: readonly PropertyDifference[]) {
        const detail = "An earlier run sent this request. Run `pulumi refresh` to send it again.";
        return new IneffectiveError(subject, [text], found, detail, [call]);
    }

    /** The resource showed the effect, but no longer does. */
    static undone(subject: string, steps: readonly StepText[], found: readonly PropertyDifference[]) {
        const texts = steps.map(({ text }) => text);
        return new IneffectiveError(
            subject,
            texts,
            found,
            "The effect was visible before: something else reverted it.",
            [],
        );
    }
}

/** The resource exists, and the API cannot make the change of a step. */
export class UnsupportedError extends CloudDbError {
    private constructor(
        message: string,
        /** The call of the step. */
        readonly call: Call,
        /** Whether the API accepted the request, so that it must not be sent in each run. */
        readonly isAccepted: boolean,
        cause?: unknown,
    ) {
        super(message, { cause });
    }

    /** The API does not have the operation. */
    static unknownOperation(subject: string, { call }: StepText, remedy: string, failure: { status: number }) {
        const text = `the API does not have the operation ${call.operation} (it returned ${failure.status}, although the resource exists).`;
        return new UnsupportedError(`${subject}: ${text} ${remedy}`, call, false, failure);
    }

    /** The API rejected a request that changes properties it may not be able to change. */
    static rejected(subject: string, { text, call }: StepText, remedy: string, failure: unknown) {
        return new UnsupportedError(
            `${subject}: the API rejected "${text}": ${messageOf(failure)} ${remedy}`,
            call,
            false,
            failure,
        );
    }

    /** The API accepted the request, and these properties did not change. */
    static ignored(
        subject: string,
        { text, call }: StepText,
        remedy: string,
        found: readonly PropertyDifference[],
        restMs: number,
    ) {
        const effect = `the API accepted "${text}" without effect (${describeDifferences(found)}).`;
        const rest = `It was at rest for ${formatDuration(restMs)}.`;
        return new UnsupportedError(`${subject}: ${effect} ${rest} ${remedy}`, call, true);
    }
}

type StepText = Pick<Step<unknown>, "text" | "call">;

/** The program moved a resource under another parent: the engine created a new resource and deletes the old one. */
export function movedWithoutAlias(
    noun: string,
    id: string,
    urn: string,
    keepsLastCopy: boolean,
    newUrn: string,
    /** The resource that the new URN manages. */
    newId?: string,
): CloudDbError {
    const other = newId ?? "another one";
    const name = logicalName(newUrn);
    const [place, change] =
        name === logicalName(urn)
            ? ["with the same resource name under another parent", "moved"]
            : [`as ${JSON.stringify(name)}, a resource name that ${id} had before`, "renamed"];
    return new CloudDbError(
        `${capitalized(noun)} ${id} is not deleted: the program declares ${other} ${place}, and ${id} may have been ` +
            `${change}. If you ${change} it, and nobody uses ${other}, run \`pulumi destroy --target '${newUrn}'\`, ` +
            `add aliases: ["${urn}"] to its options, and run \`pulumi up\`. To delete ${withData(id, keepsLastCopy)}, set ` +
            `allowReplace: true for the new resource, and run \`pulumi up\`.`,
    );
}

/** The program declares a resource that may replace another one, and this run has not created it. */
export function withoutSuccessor(noun: string, id: string, newUrn: string): CloudDbError {
    return new CloudDbError(
        `${capitalized(noun)} ${id} is not deleted: ${JSON.stringify(logicalName(newUrn))} may replace it, and this run ` +
            `has not created that. Remove the cause, and run \`pulumi up\` again.`,
    );
}

/**
 * Pulumi may delete the resource before the program declares it: as a dependent of one that it deletes first, or because the
 * program declares it after one that failed.
 */
export function perhapsNotDeclared(noun: string, id: string, keepsLastCopy: boolean, unfinished: string): CloudDbError {
    return new CloudDbError(
        `${capitalized(noun)} ${id} is not deleted: this run has not completed ${unfinished}, so the program may not have declared ` +
            `${id} yet, and the state of ${id} does not allow its replacement. If ${unfinished} failed, remove the cause and run ` +
            `\`pulumi up\` again. If ${unfinished} is replaced: to keep ${id}, undo the change; to delete ` +
            `${withData(id, keepsLastCopy)}, first run \`pulumi up\` without the change and with allowReplace: true for the ` +
            `${noun}, or without the ${noun}.`,
    );
}

/** The program declares a resource that may replace another one, and --target or --exclude leaves it out of this run. */
export function leftOutSuccessor(noun: string, id: string, keepsLastCopy: boolean, newUrn: string): CloudDbError {
    return new CloudDbError(
        `${capitalized(noun)} ${id} is not deleted: it may be '${newUrn}' before a move or a rename, and this run leaves ` +
            `that out. Run \`pulumi up\` without --target and --exclude. To delete ${withData(id, keepsLastCopy)}, set ` +
            `allowReplace: true for the new resource.`,
    );
}

/** The program adopts a resource, with existingId or the import option, and has not done so yet. */
export function pendingAdoption(noun: string, id: string, adopter: string): CloudDbError {
    return new CloudDbError(
        `${capitalized(noun)} ${id} is not deleted: ${adopter} adopts it, and no run has completed the adoption. This entry ` +
            `stays in the state until then. Remove the cause (an error, --target, --exclude, or the deleteBeforeReplace ` +
            `option of ${adopter}), and run \`pulumi up\` again. To delete ${id}, remove ${adopter} from the program.`,
    );
}

/** Pulumi did not pass the URN of a deleted resource, which the program may still declare. */
export function unknownUrn(noun: string, id: string, keepsLastCopy: boolean): CloudDbError {
    return new CloudDbError(
        `${capitalized(noun)} ${id} is not deleted: this version of Pulumi does not pass the URN of the deleted resource, ` +
            `so ${id} may be a ${noun} that the program still declares under another name. Use a version of Pulumi that ` +
            `the documentation lists as tested. To delete ${withData(id, keepsLastCopy)}, set allowReplace: true for each ${noun} of ` +
            `the program, and run \`pulumi up\`.`,
    );
}

/** A `.get` or an import has an id that no resource of this kind can have. */
export function invalidId(id: string, reason: string): CloudDbError {
    return new CloudDbError(`The id ${JSON.stringify(id)} cannot be read: ${reason}. Correct the id.`);
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

/** A `.get` or an import names a resource that the project does not have. */
export function missingResource(noun: string, id: string, projectId: string): CloudDbError {
    return new CloudDbError(
        `There is no ${noun} ${JSON.stringify(id)} in project ${JSON.stringify(projectId)}. ` +
            `Correct the id, or the project in \`clouddb:projectId\`.`,
    );
}

/**
 * None of the resources that this run has read exists, and the project shows no others: perhaps the token cannot see
 * them.
 */
export function nothingVisible(noun: string, id: string, projectId: string): CloudDbError {
    return new CloudDbError(
        `${capitalized(noun)} ${id} was not found, and project ${JSON.stringify(projectId)} shows no service and no VPC ` +
            `at all to this token. The state is kept. Check clouddb:projectId, and whether the token may read the project. ` +
            `If everything in the project was really deleted, run \`pulumi destroy\`, which removes ` +
            `the missing resources from the state.`,
    );
}

/** The lines of the program that adopt one of these resources. */
function existingIdLines(ids: readonly string[]): string {
    return ids.map((id) => `existingId: ${JSON.stringify(id)}`).join(" or ");
}

function capitalized(noun: string): string {
    return noun.charAt(0).toUpperCase() + noun.slice(1);
}
