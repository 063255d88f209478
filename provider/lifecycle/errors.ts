import { CloudDbError, messageOf, type RequestedPauseError } from "../api/errors";
import { logicalName } from "../inputs/names";
import { commandLine } from "../api/singleFile";
import { formatDuration } from "../observe/duration";

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

/** How to keep a resource under a new name or parent, in any language: YAML accepts only URNs as aliases. */
export const addsAlias = "add its old URN, which `pulumi stack --show-urns` prints, to its option aliases";

/** The project already has resources with this name, and as far as the run knows, the stack does not manage them. */
export class AlreadyExistsError extends CloudDbError {
    constructor(
        readonly subject: string,
        readonly existing: readonly [NameHolder, ...NameHolder[]],
        /** Whether resources of the kind have names. */
        hasName: boolean,
    ) {
        const adoptable = existing.filter(({ refusal }) => refusal === undefined).map(({ id }) => id);
        const blocked = existing.filter(({ refusal }) => refusal !== undefined);
        const found = existing.map(({ id, age }) => (age === "" ? id : `${id} (created ${age} ago)`)).join(" and ");
        const [it, has] = existing.length === 1 ? ["it", "has"] : ["one of them", "have"];
        const adoption =
            adoptable.length === 0
                ? ""
                : `If an interrupted run of this stack created ${it}, adopt it with ${existingIdLines(adoptable)}. `;
        super(
            `${subject} already exists: ${found}${hasName ? ` ${has} this name` : ""}. ` +
                `If this resource was renamed or moved in the program, ${addsAlias}. ` +
                `If this run replaces it (--replace, taint, replaceWith), set its option deleteBeforeReplace: true. ` +
                blocked.map(({ id, refusal }) => `${id} cannot be adopted: ${refusal ?? ""}. `).join("") +
                adoption +
                (hasName
                    ? "Otherwise declare another name: a renamed stack and a second backend generate the same names."
                    : "Otherwise another stack or a person created it, and must delete it first."),
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

/** An existing resource that a program adopts has another entry in the state of its stack. */
export function existingIdInStack(existingId: string, urn: string): CloudDbError {
    return new CloudDbError(
        `existingId ${JSON.stringify(existingId)} is the id of ${nameIn(urn)}, which this stack already manages. ` +
            `To rename or move it, remove existingId and add its URN to the option aliases: '${urn}'.`,
    );
}

/** A change would replace a protected resource. */
export function replacementRefused(
    subject: string,
    /** The changes that require the replacement. */
    changes: string,
    /** What happens to the data: `be lost`. Undefined for a resource without data. */
    fate: string | undefined,
): CloudDbError {
    return new CloudDbError(
        `${subject} is protected, and this change would replace it (${changes})${fate === undefined ? "" : `: its data would ${fate}`}. ` +
            `Undo the change. To accept the replacement, do that, set deletionProtection: false and run \`pulumi up\`; ` +
            `then make the change again.`,
    );
}

/** The options that replace a resource without a change that requires it. */
export const forcedBy = "replaceOnChanges, replaceWith or replacementTrigger";

/** Why the engine deletes an entry of the state. */
export type Removal =
    | {
          /** The program replaces the resource. */
          readonly kind: "replaced";
          readonly urn: string;
          /** The new resource. If it exists, the old entry is pending deletion. */
          readonly successor: string | undefined;
      }
    | {
          /** The run does not declare the resource. */
          readonly kind: "removed";
          /** A resource with another URN that this run has created, perhaps in its place. */
          readonly created: string | undefined;
          readonly urn: string | undefined;
      };

/** How to delete a resource that no state has any more. */
export const deletesOrphan = (id: string): string =>
    `\`pulumi stack export | ${commandLine("orphans")} --delete-commands -\` prints the command that deletes ${id}`;

/** Why Pulumi did not delete first what prevents the deletion of a resource. */
export const needDependsOn = (noun: string): string =>
    `Those of this stack need the option dependsOn with the ${noun}, and not deletedWith.`;

/** The state of a resource, or the program, forbids its deletion. */
export function deletionRefused(noun: string, id: string, protector: string, removal: Removal): CloudDbError {
    const refusal = `${capitalized(noun)} ${id} is not deleted: ${protector} has deletionProtection: true`;
    if (removal.kind === "removed") {
        const [first, last] =
            removal.created === undefined
                ? ["", `; if the state also has a new entry for it, remove that one first, as in (3)`]
                : [
                      `and this run has created ${removal.created} in its place, run ` +
                          `\`pulumi state delete --force '${removal.urn}'\`, `,
                      `; then ${deletesOrphan(removal.created)}`,
                  ];
        return new CloudDbError(
            `${refusal}. ` +
                `(1) To delete it, declare it with deletionProtection: false, run \`pulumi up\`, and repeat the command. ` +
                `If it is tainted, first run \`pulumi state untaint\` with its URN. ` +
                `(2) If it was renamed or moved, ${first}${addsAlias} and run \`pulumi up\`${last}. ` +
                `(3) To stop managing it, run \`pulumi state delete --force\` with its URN.`,
        );
    }
    const { urn, successor } = removal;
    if (successor === undefined) {
        return new CloudDbError(
            `${refusal}. (1) To keep it, undo what replaces it: a change, \`--replace\`, replaceWith or replacementTrigger; ` +
                `if it is tainted, run \`pulumi state untaint '${urn}'\`. (2) To replace it, do that, set ` +
                `deletionProtection: false and run \`pulumi up\`; then replace it again.`,
        );
    }
    const deletion =
        protector === "the program"
            ? "set deletionProtection: false and run `pulumi up` again, because its entry has that value"
            : `remove its entry; then ${deletesOrphan("it")}`;
    return new CloudDbError(
        `${refusal}, and ${successor} has taken its place. The state has an entry of each. To remove one, run ` +
            `\`pulumi state delete --force '${urn}'\` in a terminal, and select it. In a pipeline, run ` +
            `\`pulumi stack export | jq 'del(.deployment.resources[] | select(.id == ${JSON.stringify(id)}))' | pulumi stack import\` ` +
            `with its id. (1) To delete ${id}, ${deletion}. ` +
            `(2) To keep it, remove the entry of ${successor}, declare existingId: ${JSON.stringify(id)} and a password, and run ` +
            `\`pulumi up\`; then ${deletesOrphan(successor)}. ` +
            `(3) To stop managing ${id}, remove its entry.`,
    );
}

/** A command has no state of a resource, and the default protects it. */
export function deletionWithoutState(noun: string, id: string): CloudDbError {
    return new CloudDbError(
        `${capitalized(noun)} ${id} is not deleted: this command knows no state of it, and deletionProtection is true by ` +
            `default. If a stack manages it, delete it there. Otherwise set CLOUDDB_DELETION_PROTECTION to false for this command.`,
    );
}

/** Another resource of the program still needs the entry or the data of one that must be deleted. */
export function deletionPending(
    noun: string,
    id: string,
    /** Who needs it, and for what. */
    reason: string,
    remedy = "Remove the cause (an error, --target, --exclude, deleteBeforeReplace)",
): CloudDbError {
    return new CloudDbError(
        `${capitalized(noun)} ${id} is not deleted: ${reason}. ${remedy}, and run \`pulumi up\` again.`,
    );
}

/** The replacement of a resource that must be deleted first cannot be created. */
export function replacementImpossible(noun: string, id: string, cause: unknown): CloudDbError {
    return new CloudDbError(
        `${capitalized(noun)} ${id} is not deleted, because its replacement cannot be created. ${messageOf(cause)}`,
        { cause },
    );
}

/** A resource would copy, or has copied, the empty replacement of another one. */
export function copyOfReplacement(
    /** Which resource is affected, and why. */
    reason: string,
    /** The input of the copy that names its source. */
    input: string,
    /** The name of the copy. */
    copy: string,
    /** The id of the resource that has the data. Not a text while it is unknown. */
    source: unknown,
): CloudDbError {
    const id = typeof source === "string" ? JSON.stringify(source) : "the present id of that resource";
    return new CloudDbError(`${capitalized(reason)}, and which has no data. ${copiesTheData(input, copy, id)}`);
}

/** How a copy gets the data. */
const copiesTheData = (input: string, copy: string, id: string): string =>
    `Set ${input} of ${copy} to ${id}, not to an output, and run \`pulumi up\` again: it then copies the data first.`;

/** An empty resource that has taken the place of another one, as the source of a copy. */
export interface Replaced {
    readonly urn: string;
    readonly id: string;
    /** The id of the one with the data. */
    readonly former: string;
    /** The input of the copy that names its source. */
    readonly input: string;
}

/** A resource would copy one that an earlier run has created as the empty replacement of another one, which still exists. */
export function copyOfEarlierReplacement(
    noun: string,
    /** The name of the copy. */
    copy: string,
    { urn, id, former, input }: Replaced,
): CloudDbError {
    return new CloudDbError(
        `${copy} would copy ${nameIn(urn)} (${id}), which has taken the place of ${noun} ${former} and has no data of it. ` +
            `${copiesTheData(input, copy, JSON.stringify(former))} ` +
            `If you keep ${former} without an entry in the state, and ${id} must be copied, run ` +
            `\`pulumi state delete --force '${urn}'\`, adopt ${id} as ${nameIn(urn)} with existingId and a password, and ` +
            `run \`pulumi up\` without ${copy} first.`,
    );
}

/** The run was cancelled while the result of a creation was unknown. The state has no entry of the resource. */
export function creationCancelled(subject: string, cause: unknown): CloudDbError {
    return new CloudDbError(
        `${subject} may exist: the run was cancelled before the API responded to its creation. ` +
            "Run `pulumi up` again: if it exists, the error contains its id.",
        { cause },
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

/** The API requests a pause that ends after the deadline. Nothing is rolled back. */
export function pauseRequested(subject: string, error: RequestedPauseError): CloudDbError {
    return new CloudDbError(
        `${subject} did not complete: ${error.message} Nothing was rolled back. Run the same command again after the pause.`,
        { cause: error },
    );
}

/** The state already has the resource, and its import option names another one. */
export function importChanged(noun: string, id: string, importedId: string): CloudDbError {
    return new CloudDbError(
        `${capitalized(noun)} ${id} is not deleted: the import option now names ${importedId}, and Pulumi replaces ${id} ` +
            `with it. To keep ${id}, set the option to ${JSON.stringify(id)} and run \`pulumi up\`: ${importedId} is then ` +
            `not managed and not changed. To manage ${importedId} and leave ${id} unmanaged, do that, then run ` +
            `\`pulumi state delete --force\` for this resource and change the option again.`,
    );
}

/** A `.get` or an import has an id that no resource of this kind can have. */
export function invalidId(id: string, reason: string): CloudDbError {
    return new CloudDbError(`The id ${JSON.stringify(id)} cannot be read: ${reason}. Correct the id.`);
}

/** A `.get` or an import names a resource that the project does not have. */
export function missingResource(noun: string, id: string, projectId: string): CloudDbError {
    return new CloudDbError(
        `There is no ${noun} ${JSON.stringify(id)} in project ${JSON.stringify(projectId)}. ` +
            `Correct the id, or the project in \`clouddb:projectId\`.`,
    );
}

/** The resource was not found, and the project shows no others: perhaps the token cannot see them. */
export function nothingVisible(noun: string, id: string, projectId: string): CloudDbError {
    return new CloudDbError(
        `${capitalized(noun)} ${id} was not found, and project ${JSON.stringify(projectId)} shows no service and no VPC ` +
            `at all to this token. The state is kept. Check clouddb:projectId, and whether the token may read the project. ` +
            `If ${id} was really deleted, run \`pulumi state delete --force\` with its URN, which ` +
            `\`pulumi stack --show-urns\` prints.`,
    );
}

/** The lines of the program that adopt one of these resources. */
function existingIdLines(ids: readonly string[]): string {
    return ids.map((id) => `existingId: ${JSON.stringify(id)}`).join(" or ");
}

/** The name of a resource in the program. */
export const nameIn = (urn: string): string => JSON.stringify(logicalName(urn));

function capitalized(noun: string): string {
    return noun.charAt(0).toUpperCase() + noun.slice(1);
}

/** The error of an operation. If an earlier run did not complete the resource, the error says so. */
export function explained(error: unknown, { __interrupted }: { readonly __interrupted?: unknown }): unknown {
    if (!__interrupted) {
        return error;
    }
    const unfinished = afterUnfinishedRun(error);
    return error instanceof PartialFailure ? new PartialFailure(error.id, error.state, unfinished) : unfinished;
}
