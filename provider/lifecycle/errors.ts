import {
    ApiError,
    CloudDbError,
    ProjectNotFoundError,
    isCallFailure,
    mayHaveTakenEffect,
    partsOf,
    reasonOf,
    type CallFailure,
    type RequestedPauseError,
} from "../api/errors";
import { commandLine } from "../api/singleFile";
import { sentence, type Message, type WayOut } from "../inputs/message";
import { logicalName } from "../inputs/names";
import { formatDuration } from "../observe/duration";
import { resuming } from "../observe/errors";

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
        super(partsOf(cause), { cause });
    }
}

/** An error of a resource that an earlier run did not complete. The message says so, because it may be the cause. */
export function afterUnfinishedRun(cause: unknown): CloudDbError {
    const parts = partsOf(cause);
    const earlier = { label: "Earlier run", text: "it was interrupted or failed before this resource was complete" };
    return new CloudDbError({ ...parts, ways: [...(parts.ways ?? []), earlier] }, { cause });
}

/** What an operation has not done with a resource. */
export type Verb = "created" | "completed" | "updated" | "deleted";

/** The API rejected a request of an operation on one resource, or did not respond. */
export class OperationFailedError extends CloudDbError {
    constructor(
        message: Message,
        readonly failure: CallFailure,
    ) {
        super(message, { cause: failure });
    }
}

/** The error of an operation that a failed call ended. */
export function operationFailed(
    subject: string,
    verb: Verb,
    failure: CallFailure,
): OperationFailedError | ApiError | ProjectNotFoundError {
    // The cause is the token or the project, whatever the resource.
    if (failure instanceof ProjectNotFoundError || (failure instanceof ApiError && failure.status === 401)) {
        return failure;
    }
    const { ways = [], details } = failure.parts;
    const isOfRequest = verb === "created" && failure.method !== "GET";
    const isUncertain = isOfRequest && mayHaveTakenEffect(failure);
    const what = isUncertain ? `${subject} may not have been created` : `${subject} was not ${verb}`;
    const result = isOfRequest && !isUncertain ? " Nothing was created." : "";
    return new OperationFailedError(
        {
            what: `${sentence(`${what}: ${failure.reason}`)}${result}`,
            ways: [...(isUncertain ? [findOut] : []), ...ways],
            details,
        },
        failure,
    );
}

/** A resource of the API. */
export interface Existing {
    readonly id: string;
    /** Its age and size, as text; empty if neither is known. */
    readonly description: string;
}

/** An existing resource with the name of a declared one. */
export interface NameHolder extends Existing {
    /** Why it cannot be adopted as the declared resource; undefined if it can. */
    readonly refusal: string | undefined;
}

/** The command that prints the URNs of a stack. */
const showsUrns = "`pulumi stack --show-urns`";

/** How to keep a resource under a new name or parent, in any language: YAML accepts only URNs as aliases. */
export const addsAlias = `add its old URN, which ${showsUrns} prints, to its option aliases`;

/** The project already has resources with this name, and as far as the run knows, the stack does not manage them. */
export class AlreadyExistsError extends CloudDbError {
    constructor(
        readonly subject: string,
        readonly existing: readonly [NameHolder, ...NameHolder[]],
        /** The name, and whether the program declares it. Undefined for a kind without names. */
        name: { readonly text: string; readonly isGenerated: boolean } | undefined,
        /** The URN of the resource, if its entry can be the one that has the name. */
        former: string | undefined,
    ) {
        const adoptable = existing.filter(({ refusal }) => refusal === undefined).map(({ id }) => id);
        const found = existing.map(described).join(" and ");
        const has = existing.length === 1 ? "has" : "have";
        const cause = name?.isGenerated ? ": a renamed stack and a second backend generate the same names" : "";
        super({
            what: `${subject} already exists: ${found}${name === undefined ? "" : ` ${has} the name ${JSON.stringify(name.text)}`}.`,
            ways: [
                { label: "Renamed or moved", text: addsAlias },
                ...(former === undefined
                    ? []
                    : [
                          { label: "Tainted", text: `${untaints(former)} keeps it` },
                          {
                              label: "Replaced (--replace, taint, replaceWith)",
                              text: "set its option deleteBeforeReplace: true",
                          },
                      ]),
                ...(adoptable.length === 0
                    ? []
                    : [{ label: "Created by an interrupted run of this stack", text: existingIdLines(adoptable) }]),
                ...existing.flatMap(({ id, refusal }) =>
                    refusal === undefined ? [] : [{ label: `Cannot be adopted`, text: `${id}, because ${refusal}` }],
                ),
                {
                    label: "Somebody else's",
                    text: name === undefined ? "its owner must delete it first" : `declare another \`name\`${cause}`,
                },
            ],
        });
    }
}

/** Another resource of the program manages the resource that has this name, for example under its former name. */
export function nameInUse(subject: string, id: string, manager: string): CloudDbError {
    return new CloudDbError({
        what: `${subject} already exists: resource ${manager} of this program manages it (${id}).`,
        ways: [
            {
                label: "Continue",
                text: "declare another `name`; a resource that is renamed in the program keeps its generated name",
            },
        ],
    });
}

/** The response to a create request was lost, and it is not certain which resource the request created. */
export class UncertainCreationError extends CloudDbError {
    constructor(
        /** The resources that it may have created. */
        readonly ids: readonly string[],
        message: Message,
        cause: unknown,
    ) {
        super({ ...message, details: partsOf(cause).details }, { cause });
    }
}

/** The response to a create request was lost, and somebody else may have created the only new resource that matches. */
export function unprovenCreation(subject: string, existing: Existing, cause: unknown): UncertainCreationError {
    const { id } = existing;
    return new UncertainCreationError(
        [id],
        {
            what: `${subject}: the response to its creation was lost. Either this run or somebody else created ${described(existing)}.`,
            ways: [
                { label: "If nobody else uses it", text: existingIdLines([id]) },
                { label: "Somebody else's", text: "choose another name" },
            ],
        },
        cause,
    );
}

/** The response to a create request was lost, and several new resources match. */
export function ambiguousCreation(subject: string, ids: readonly string[], cause: unknown): UncertainCreationError {
    return new UncertainCreationError(
        ids,
        {
            what: `${subject}: the response to its creation was lost, and ${ids.length} resources with that name have since appeared.`,
            ways: [{ label: "The one that nobody else uses", text: existingIdLines(ids) }],
        },
        cause,
    );
}

/** An existing resource cannot be adopted. */
export class AdoptionError extends CloudDbError {
    constructor(existingId: string, reason: string) {
        super({
            what: `existingId ${JSON.stringify(existingId)} cannot be adopted: ${reason}.`,
            ways: [
                { label: "Another resource", text: "correct the id or the program" },
                { label: "A new resource", text: "remove existingId" },
            ],
        });
    }
}

/** An existing resource that a program adopts has another entry in the state of its stack. */
export function existingIdInStack(existingId: string, urn: string): Message {
    return {
        what: `existingId ${JSON.stringify(existingId)} is the id of ${nameIn(urn)}, which this stack already manages.`,
        ways: [{ label: "Rename or move it", text: `remove existingId, and set its option ${aliasOf(urn)}` }],
    };
}

/** A program adopts a resource whose entry of the other host this run replaces: that host would delete what this one adopts. */
export function existingIdReplaced(existingId: string, urn: string): Message {
    return {
        what: `existingId ${JSON.stringify(existingId)} cannot be adopted: this run replaces and deletes it, as ${nameIn(urn)} of the other host.`,
        ways: [
            { label: "Keep it", text: `remove existingId; if it is tainted, first ${untaints(urn)}` },
            { label: "Replace it", text: "remove existingId" },
        ],
    };
}

/** A change would replace a protected resource. */
export function replacementRefused(
    subject: string,
    /** The changes that require the replacement. */
    changes: string,
    /** What happens to the data: `be lost`. Undefined for a resource without data. */
    fate: string | undefined,
): CloudDbError {
    return new CloudDbError({
        what: `${subject} is protected, and this run would replace it (${changes})${dataWould(fate)}.`,
        ways: [
            { label: "Keep it", text: "undo the change" },
            {
                label: "Replace it",
                text: "undo the change, set deletionProtection: false and run `pulumi up`; then make the change again",
            },
        ],
    });
}

/** What replaces a resource without a change of its own that requires it. */
export const forcedBy =
    "--replace, a taint, replaceOnChanges, replaceWith, replacementTrigger, or what it uses is deleted first";

/** Something else than a change of a protected resource would replace it. */
export function forcedReplacementRefused(
    subject: string,
    /** The URN of its entry. */
    urn: string | undefined,
    fate: string | undefined,
): CloudDbError {
    return new CloudDbError({
        what: `${subject} is protected, and this run would replace it${dataWould(fate)}.`,
        ways: waysOfReplaced(urn),
    });
}

const dataWould = (fate: string | undefined): string => (fate === undefined ? "" : `: its data would ${fate}`);

/** What a person can do if a run would replace a protected resource. */
const waysOfReplaced = (urn: string | undefined): readonly WayOut[] => [
    {
        label: "Keep it",
        text: "undo what replaces it: a change, `--replace`, an option, or a replacement of what it uses",
    },
    { label: "Keep it, if it is tainted", text: untaints(urn) },
    {
        label: "Replace it",
        text: "undo what replaces it, set deletionProtection: false and run `pulumi up`; then replace it again",
    },
];

/** Why the engine deletes an entry of the state. */
export type Removal =
    | {
          /** The program replaces the resource. */
          readonly kind: "replaced";
          readonly urn: string;
          /** The new resource. If it exists, the old entry is pending deletion. */
          readonly successor: string | undefined;
          /** Whether only an alias says that the program replaces it. */
          readonly isRenamed: boolean;
      }
    | {
          /** The run does not declare the resource. */
          readonly kind: "removed";
          readonly urn: string | undefined;
          /** A resource with another URN that this run has created, perhaps in its place. */
          readonly created: { readonly id: string; readonly urn: string } | undefined;
      };

/** How to delete a resource that no state has any more. */
export const deletesOrphan = (id: string): string =>
    `\`pulumi stack export | ${commandLine("orphans")} --delete-commands -\` prints commands; run only that of ${id}`;

/** Why Pulumi did not delete first what prevents the deletion of a resource. */
export const needDependsOn = (noun: string): WayOut => ({
    label: "In this stack",
    text: `they need the option dependsOn with the ${noun}, and not deletedWith`,
});

/** The state of a resource, or the program, forbids its deletion. */
export function deletionRefused(subject: string, id: string, protector: string, removal: Removal): CloudDbError {
    const refusal = `${subject} is not deleted: ${protector} has deletionProtection: true`;
    if (removal.kind === "removed") {
        return new CloudDbError({ what: `${refusal}.`, ways: waysOfRemoved(removal) });
    }
    return removal.successor === undefined
        ? new CloudDbError({
              what: `${refusal}, and this run would replace it.`,
              ways: waysOfReplaced(removal.urn),
          })
        : new CloudDbError({
              what: `${refusal}, and ${removal.successor} has taken its place.`,
              ways: waysOfPending(id, protector, removal, removal.successor),
          });
}

/** What a person can do with an entry that the program does not declare. */
function waysOfRemoved({ urn, created }: Removal & { readonly kind: "removed" }): readonly WayOut[] {
    const alias = `set the option ${aliasOf(urn)} of the resource with the new name, and run \`pulumi up\``;
    return [
        {
            label: "Delete it",
            text: "declare it with deletionProtection: false, run `pulumi up`, and repeat the command",
        },
        { label: "If it is tainted", text: `first ${untaints(urn)}` },
        created === undefined
            ? { label: "Renamed or moved", text: alias }
            : {
                  label: "Renamed or moved",
                  text: `${removesEntry(created.urn)}, ${alias}; then ${deletesOrphan(created.id)}`,
              },
        ...(created === undefined
            ? [{ label: "If the new name has an entry", text: `first ${removesEntry(undefined)}` }]
            : []),
        { label: "Keep it, stop managing it", text: removesEntry(urn) },
    ];
}

/** What a person can do with an entry that is pending deletion. */
function waysOfPending(
    id: string,
    protector: string,
    { urn, isRenamed }: Removal & { readonly kind: "replaced" },
    successor: string,
): readonly WayOut[] {
    return [
        { label: "Keep both", text: removesOne(id) },
        {
            label: `Delete ${id}`,
            text:
                protector === "the program"
                    ? "set deletionProtection: false and run `pulumi up` again, because its entry has that value"
                    : `${removesOne(id)}; then ${deletesOrphan(id)}`,
        },
        {
            label: `Keep ${id}`,
            text:
                `${removesOne(successor)}; declare existingId: ${JSON.stringify(id)} and a password, run \`pulumi up\`; ` +
                `then ${deletesOrphan(successor)}`,
        },
        isRenamed
            ? {
                  label: `If ${id} was never ${nameIn(urn)}`,
                  text: `remove that alias of ${nameIn(urn)} and run \`pulumi up\``,
              }
            : {
                  label: "In a terminal",
                  text: `instead of jq, ${removesEntry(urn)} asks which of the two entries to remove`,
              },
    ];
}

/** The command that removes an entry from the state and keeps the resource. */
export const removesEntry = (urn: string | undefined): string =>
    `\`pulumi state delete --force ${quoted(urn)}\`${urn === undefined ? `, with its URN from ${showsUrns}` : ""}`;

/** The command that undoes a taint, so that nothing is replaced. */
const untaints = (urn: string | undefined): string => `\`pulumi state untaint ${quoted(urn)}\``;

/** The command that removes one of two entries with the same URN, which asks nothing. */
const removesOne = (id: string): string =>
    `\`pulumi stack export | jq 'del(.deployment.resources[]|select(.id==${JSON.stringify(id)}))' | pulumi stack import\``;

/** A URN in a command. One of a child of a component contains a $, which a shell expands. */
export const quoted = (urn = "URN"): string => `'${urn.replaceAll("'", "'\\''")}'`;

/** The option that connects a resource of the program with its entry under another URN. */
const aliasOf = (urn = "URN"): string => `aliases: ['${urn.replaceAll("'", "\\'")}']`;

/** A command has no state of a resource, and the default protects it. */
export function deletionWithoutState(subject: string): CloudDbError {
    return new CloudDbError({
        what: `${subject} is not deleted: this command knows no state of it, and deletionProtection is true by default.`,
        ways: [
            { label: "Managed by a stack", text: "delete it there" },
            { label: "Managed by none", text: "set CLOUDDB_DELETION_PROTECTION to false for this command" },
        ],
    });
}

/** Another resource of the program still needs the entry or the data of one that must be deleted. */
export function deletionPending(
    subject: string,
    /** Who needs it, and for what. */
    reason: string,
    remedy = "remove the cause (an error, --target, --exclude, deleteBeforeReplace)",
): CloudDbError {
    return new CloudDbError({
        what: `${subject} is not deleted: ${reason}.`,
        ways: [{ label: "Continue", text: `${remedy}, and run \`pulumi up\` again` }],
    });
}

/** The entry of a resource whose last copy is made. */
export interface CopiedEntry {
    readonly id: string;
    /** Whether it was paused before the copy, and is not any more. */
    readonly isLeftRunning: boolean;
    /**
     * `pending`: its replacement exists, so no update changes this entry. `replaced`: this run deletes it before it creates the
     * replacement. `other`: this run does not show it, as when it destroys the stack.
     */
    readonly kind: "pending" | "replaced" | "other";
}

/** A resource is not deleted before its last copy is complete. */
export function lastCopyFailed(subject: string, entry: CopiedEntry, cause: unknown): CloudDbError {
    const reason = rejectionIn(cause);
    return new CloudDbError(
        {
            what: `${subject} was not deleted: the last copy failed${reason === undefined ? "" : ` (${reason})`}. Your data is safe.`,
            ways: [
                ...(reason === undefined ? [{ label: "Cause", text: problemOfCopy(cause) }] : []),
                { label: "Try again", text: "repeat the command, which makes a new copy" },
                ...afterCopy(entry),
            ],
            details: partsOf(cause).details,
        },
        { cause },
    );
}

/** Why the API rejected a request of an operation. */
function rejectionIn(error: unknown): string | undefined {
    const cause = error instanceof PartialFailure ? error.cause : error;
    const failure = cause instanceof OperationFailedError ? cause.failure : cause;
    return isCallFailure(failure) ? failure.reason : undefined;
}

/** Why a copy is not complete. It has no line in the program, so that the message must not ask to change one. */
function problemOfCopy(error: unknown): string {
    return error instanceof UncertainCreationError
        ? `it is not certain whether the request has created ${error.ids.join(" or ")}`
        : partsOf(error).what.replace(/\.$/, "");
}

/** A resource is not deleted although its last copy is complete. */
export function notDeletedAfterCopy(
    entry: CopiedEntry,
    copy: { readonly id: string; readonly created: string },
    failure: unknown,
): CloudDbError {
    const { ways = [], ...parts } = partsOf(failure);
    const complete = { label: "Last copy", text: `${copy.id} is complete, with the data of ${copy.created}` };
    return new CloudDbError({ ...parts, ways: [complete, ...ways, ...afterCopy(entry)] }, { cause: failure });
}

/** Earlier runs have made last copies of a resource, and have not deleted it. */
export function tooManyCopies(subject: string, entry: CopiedEntry, copies: readonly string[]): CloudDbError {
    return new CloudDbError({
        what: `${subject} is neither copied nor deleted: earlier runs have made ${copies.length} last copies of it.`,
        ways: [
            { label: "Delete one copy", text: deletesOrphan("this copy") },
            { label: "Last copies", text: copies.join(", ") },
            ...afterCopy(entry),
        ],
    });
}

/** What helps after a deletion with a last copy has failed. */
function afterCopy({ id, isLeftRunning, kind }: CopiedEntry): WayOut[] {
    const pausesAgain = { label: "Pause it again", text: "it was paused, and runs now: `pulumi up --refresh`" };
    const without = (text: string, label = "Without a copy") => ({ label, text });
    const byHand = `${removesOne(id)}; then ${deletesOrphan(id)}`;
    const ways = {
        pending: [without(byHand)],
        replaced: [without("undo what replaces it, set finalFork: false and run `pulumi up`; then replace it again")],
        other: [
            without("declare it with finalFork: false and run `pulumi up`; then repeat the command"),
            without(byHand, "Without a copy, if an earlier run has replaced it"),
        ],
    };
    return [...(isLeftRunning ? [pausesAgain] : []), ...ways[kind]];
}

/** The replacement of a resource that must be deleted first cannot be created. */
export function replacementImpossible(subject: string, cause: unknown): CloudDbError {
    const { what, ...parts } = partsOf(cause);
    return new CloudDbError(
        { ...parts, what: `${subject} is not deleted, because its replacement cannot be created: ${what}` },
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
    /** Whether the copy may have another source, whose id is unknown. */
    isUncertain = false,
): CloudDbError {
    const id = typeof source === "string" ? JSON.stringify(source) : "the id of that resource";
    const another = {
        label: "If it copies another one",
        text: `\`pulumi up\` without ${copy} first, which creates that one`,
    };
    return new CloudDbError({
        what: `${reason}, without its data.`,
        ways: [copiesTheData(input, copy, id), ...(isUncertain ? [another] : [])],
    });
}

/** How a copy gets the data. */
const copiesTheData = (input: string, copy: string, id: string): WayOut => ({
    label: "Copy the data first",
    text: `set ${input} of ${copy} to ${id}, not to an output; then \`pulumi up\``,
});

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
    const name = nameIn(urn);
    return new CloudDbError({
        what: `${copy} would copy ${name} (${id}), which has taken the place of ${noun} ${former}, without its data.`,
        ways: [
            copiesTheData(input, copy, JSON.stringify(former)),
            {
                label: `Copy ${id} anyway, and delete ${former}`,
                text: `${removesOne(id)}; adopt it as ${name} with existingId and a password, and \`pulumi up\` without ${copy} first`,
            },
        ],
    });
}

/** After a creation whose result is unknown. */
const findOut = { label: "Find out", text: "run `pulumi up` again: if it exists, the error contains its id" };

/** The run was cancelled while the result of a creation was unknown. The state has no entry of the resource. */
export function creationCancelled(subject: string, cause: unknown): CloudDbError {
    return new CloudDbError(
        {
            what: `${subject} may exist: the run was cancelled before the API responded to its creation.`,
            ways: [findOut],
            details: partsOf(cause).details,
        },
        { cause },
    );
}

/** An operation reached its deadline. Nothing is rolled back. */
export function operationTimedOut(
    subject: string,
    limitMs: number,
    /** The setting for the time limit. */
    setting: string,
    cause: unknown,
): CloudDbError {
    const { ways = [], details } = partsOf(cause);
    return new CloudDbError(
        {
            what: sentence(
                `${subject} did not complete within its time limit of ${formatDuration(limitMs)}: ${reasonOf(cause)}`,
            ),
            ways: [...ways, ...resuming(setting)],
            details,
        },
        { cause },
    );
}

/** The API requests a pause that ends after the deadline. Nothing is rolled back. */
export function pauseRequested(subject: string, error: RequestedPauseError): CloudDbError {
    const { details } = error.parts;
    return new CloudDbError(
        {
            what: `${subject} did not complete: ${reasonOf(error)}. ${error.pause}`,
            ways: [{ label: "Resume", text: "repeat the command after the pause; nothing was rolled back" }],
            details,
        },
        { cause: error },
    );
}

/** The state already has the resource, and its import option names another one. */
export function importChanged(subject: string, id: string, urn: string | undefined, importedId: string): CloudDbError {
    const keep = `set the option to ${JSON.stringify(id)} and run \`pulumi up\``;
    return new CloudDbError({
        what: `${subject} is not deleted: the import option now names ${importedId}, and Pulumi replaces ${id} with it.`,
        ways: [
            { label: `Keep ${id}`, text: `${keep}: ${importedId} is then unmanaged` },
            {
                label: `Manage ${importedId} instead`,
                text: `${keep}, then ${removesEntry(urn)}, and change the option again`,
            },
        ],
    });
}

/** A `.get` or an import has an id that no resource of this kind can have. */
export function invalidId(id: string, reason: string): CloudDbError {
    return new CloudDbError({
        what: `The id ${JSON.stringify(id)} cannot be read: ${reason}.`,
        ways: [{ label: "Continue", text: "correct the id" }],
    });
}

/** A `.get` or an import names a resource that the project does not have. */
export function missingResource(noun: string, id: string, projectId: string): CloudDbError {
    return new CloudDbError({
        what: `There is no ${noun} ${JSON.stringify(id)} in project ${JSON.stringify(projectId)}.`,
        ways: [{ label: "Correct", text: "the id, or the project in `clouddb:projectId`" }],
    });
}

/** A refresh has not found a resource with data. */
export const deletedOutside = (subject: string): string =>
    `${subject} does not exist: a run whose program declares it creates a new one, without its data`;

/** The resource was not found, and the project shows no others: perhaps the token cannot see them. */
export function nothingVisible(subject: string, urn: string | undefined, projectId: string): CloudDbError {
    return new CloudDbError({
        what: `${subject} was not found, and project ${JSON.stringify(projectId)} shows no service and no VPC at all to this token. The state is kept.`,
        ways: [
            { label: "Check", text: "clouddb:projectId, and whether the token may read the project" },
            { label: "If it was really deleted", text: removesEntry(urn) },
        ],
    });
}

/** An existing resource with its age and size. */
function described({ id, description }: Existing): string {
    return description === "" ? id : `${id} (${description})`;
}

/** The lines of the program that adopt one of these resources. */
function existingIdLines(ids: readonly string[]): string {
    return `adopt it with ${ids.map((id) => `existingId: ${JSON.stringify(id)}`).join(" or ")}`;
}

/** The name of a resource in the program. */
export const nameIn = (urn: string): string => JSON.stringify(logicalName(urn));

/** The error of an operation. If an earlier run did not complete the resource, the error says so. */
export function explained(error: unknown, { __interrupted }: { readonly __interrupted?: unknown }): unknown {
    if (!__interrupted) {
        return error;
    }
    const unfinished = afterUnfinishedRun(error);
    return error instanceof PartialFailure ? new PartialFailure(error.id, error.state, unfinished) : unfinished;
}
