import {
    ApiError,
    CloudDbError,
    DeadlineError,
    InvalidResponseError,
    ProjectNotFoundError,
    isNotFound,
    mayHaveTakenEffect,
    partsOf,
    reasonOf,
    type CallFailure,
} from "../api/callErrors";
import { commandLine, pageFile } from "../base/installation";
import type { State } from "../model/resource";
import { withPeriod, type Message, type WayOut, way, logicalName } from "../base/message";
import { formatDuration } from "../base/time";
import { createsAgain, resuming } from "../observe/wait";

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

/** What an operation has not done with a resource. */
export type Verb = "created" | "completed" | "updated" | "deleted";

/** The API rejected a request of an operation on one resource, or did not respond. */
export class OperationFailedError extends CloudDbError {
    constructor(
        message: Message,
        readonly failure: CallFailure,
    ) {
        super({ ...message, cause: failure });
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
    const { ways = [] } = failure.parts;
    const isOfRequest = verb === "created" && failure.method !== "GET";
    const isUncertain = isOfRequest && mayHaveTakenEffect(failure);
    const what = isUncertain ? `${subject} may not have been created` : `${subject} was not ${verb}`;
    const result = isOfRequest && !isUncertain ? " Nothing was created." : "";
    return new OperationFailedError(
        {
            what: `${withPeriod(`${what}: ${failure.reason}`)}${result}`,
            ways: [...(isUncertain ? [findOut] : []), ...ways, ...(isNotFound(failure) ? [createsAgain] : [])],
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

/** The page with what to do in each case. */
const otherCases = way("Other cases", pageFile("protection"));

/** How to keep a resource under a new name or parent, in any language: YAML accepts only URNs as aliases. */
export const addsAlias = "add its old URN, which `pulumi stack --show-urns` prints, to its option aliases";

/** The project already has resources with this name, and as far as the run knows, the stack does not manage them. */
export class AlreadyExistsError extends CloudDbError {
    constructor(
        readonly subject: string,
        readonly existing: readonly [NameHolder, ...NameHolder[]],
        /** The name. Undefined for a kind without names. */
        name: string | undefined,
        urn: string | undefined,
        hasPassword: boolean,
    ) {
        const adoptable = existing.filter(({ refusal }) => refusal === undefined).map(({ id }) => id);
        const [{ id, refusal }] = existing;
        const found = existing.map(inWords).join(" and ");
        const has = existing.length === 1 ? "has" : "have";
        super({
            what: `${subject} already exists: ${found}${name === undefined ? "" : ` ${has} the name ${JSON.stringify(name)}`}.`,
            ways: [
                way("Renamed or moved", addsAlias),
                way(
                    "--replace or a taint",
                    `run without it (${untaints(urn)}), or set the option deleteBeforeReplace: true`,
                ),
                adoptable.length === 0
                    ? way("Cannot be adopted", `${id}, because ${refusal ?? ""}`)
                    : way(
                          "Left by an interrupted run, or removed from the state",
                          existingIdLines(adoptable, hasPassword),
                      ),
                {
                    ...otherCases,
                    text: `${otherCases.text}${name === undefined ? "" : ", or declare another `name` for a second one"}`,
                },
            ],
        });
    }
}

/** The API rejected a creation, and another resource is in its way. */
export function creationPrevented(subject: string, { what, ways = [] }: Message, cause: unknown): CloudDbError {
    return new CloudDbError({
        what: `${subject} was not created: ${what}`,
        ways: [way("Renamed or moved", addsAlias), ...ways],
        cause,
    });
}

/** Another resource of the program manages the resource that has this name, perhaps only until this run renames it. */
export function nameInUse(subject: string, id: string, manager: string): CloudDbError {
    return new CloudDbError({
        what: `${subject} already exists: resource ${manager} of this program manages it (${id}).`,
        ways: [
            way("Its name changes in this run", "repeat the command"),
            way("Otherwise", "declare another `name`; a renamed resource keeps its generated name"),
        ],
    });
}

/** The response to a create request was lost, and it is not certain which resource the request created. */
export function uncertainCreation(
    subject: string,
    found: readonly Existing[],
    /** The name. Undefined for a kind without names. */
    name: string | undefined,
    hasPassword: boolean,
    cause: unknown,
): CloudDbError {
    const ids = found.map(({ id }) => id);
    const lost = cause instanceof InvalidResponseError ? cause.reason : "the response to its creation was lost";
    return new CloudDbError({
        what: `${subject}: ${withPeriod(lost)} This run or somebody else created ${found.map(inWords).join(" and ")}.`,
        ways: [
            way("If nobody else uses it", existingIdLines(ids, hasPassword)),
            ...(name === undefined ? [] : [way("Somebody else's", "choose another name")]),
        ],
        cause,
    });
}

/** An existing resource cannot be adopted. */
export class AdoptionError extends CloudDbError {
    constructor(existingId: string, reason: string) {
        super({
            what: `existingId ${JSON.stringify(existingId)} cannot be adopted: ${reason}.`,
            ways: [
                way("Another resource", "correct the id or the program"),
                way("A new resource", "remove existingId"),
            ],
        });
    }
}

/** What replaces a resource without a change of its own that requires it. */
export const forcedBy =
    "--replace, a taint, replaceOnChanges, replaceWith, replacementTrigger, or what it uses is deleted first";

/** A run would replace a protected resource. */
export function replacementRefused(
    subject: string,
    /** The changes that require the replacement, or what else does. */
    cause: string,
    urn: string | undefined,
    hasData: boolean,
): CloudDbError {
    return new CloudDbError({
        what: `${subject} is protected, and this run would replace it (${cause})${hasData ? ": its data would be lost" : ""}.`,
        ways: [
            way("Keep it", "undo the change"),
            ...(cause === forcedBy ? [way("After a taint", untaints(urn))] : []),
            replacesIt,
            otherCases,
        ],
    });
}

const untaints = (urn: string | undefined): string => `\`pulumi state untaint ${shellQuoted(urn)}\``;

const replacesIt = way(
    "Replace it",
    "undo the change, set deletionProtection: false and run `pulumi up`; then make the change again",
);

/** How to delete a resource that no state has any more. */
export const deletesOrphan = (id: string): string =>
    `\`pulumi stack export | ${commandLine("orphans")} --delete-commands -\` prints commands; run only that of ${id}`;

/** Why Pulumi did not delete first what prevents the deletion of a resource. */
export const needDependsOn = (noun: string): WayOut =>
    way("In this stack", `they need the option dependsOn with the ${noun}, and not deletedWith`);

/** Why the engine deletes a resource, as far as the calls of this run show it. */
export type DeletionCause = "destroy" | "undeclared" | "renamed" | "replaced" | "pending";

/** The state of a resource forbids its deletion. `deleted` are the resources that this run has already deleted. */
export function deletionRefused(
    subject: string,
    { id, urn }: { readonly id: string; readonly urn: string | undefined },
    deletion: DeletionCause,
    deleted: readonly string[],
): CloudDbError {
    const again = `\`pulumi up\` creates again, with new endpoints and peerings to accept: ${deleted.join(", ")}`;
    const restores = deleted.length === 0 ? [] : [way("Keep it", again)];
    const keepsOld = way("Renamed or moved", `if no new one exists, add ${shellQuoted(urn)} to the option aliases`);
    const ways: Readonly<Record<DeletionCause, readonly WayOut[]>> = {
        destroy: [...restores, deletesIt],
        undeclared: [keepsOld, bothExist, deletesAfterRemoval],
        renamed: [bothExist, keepsOld, deletesAfterRemoval],
        replaced: [way("Keep it", "undo the change"), way("After a taint", untaints(urn)), replacesIt],
        pending: [
            way(
                "Keep it",
                `declare another resource with existingId: ${JSON.stringify(id)} and a password, and run \`pulumi up\``,
            ),
        ],
    };
    return new CloudDbError({
        what: `${subject} is not deleted: its entry in the state has deletionProtection: true.`,
        ways: [...ways[deletion], otherCases],
    });
}

const deletesIt = way(
    "Delete it",
    "declare it with deletionProtection: false, or set clouddb:deletionProtection to false; run `pulumi up`, and repeat the command",
);

const deletesAfterRemoval = way(
    "Delete it",
    "declare it again with deletionProtection: false and run `pulumi up`; remove it and run `pulumi up`",
);

const bothExist = way(
    "Renamed or moved, and a new one exists",
    "declare both, the new one with deletionProtection: false, and run `pulumi up`; remove it and run `pulumi up`; then use the alias",
);

/** A URN in a command. One of a child of a component contains a $, which a shell expands. */
export const shellQuoted = (urn = "URN"): string => `'${urn.replaceAll("'", "'\\''")}'`;

/** A resource that must be deleted first cannot be replaced, or another one that must be deleted after it. */
export function replacementImpossible(subject: string, other: string | undefined, cause: unknown): CloudDbError {
    const { what, ...parts } = partsOf(cause);
    const why = other === undefined ? "its replacement cannot be created" : `${other} cannot be replaced`;
    return new CloudDbError({ ...parts, what: `${subject} is not deleted, because ${why}: ${what}`, cause });
}

/** After a creation whose result is unknown. */
const findOut = way("Find out", "run `pulumi up` again: if it exists, the error contains its id");

/** The run was cancelled while the result of a creation was unknown. The state has no entry of the resource. */
export function creationCancelled(subject: string, cause: unknown): CloudDbError {
    return new CloudDbError({
        what: `${subject} may exist: the run was cancelled before the API confirmed its creation.`,
        ways: [findOut],
        cause,
    });
}

const resumesAfterPause = way("Resume", "repeat the command after the pause; nothing was rolled back");

/** An operation reached its deadline, or the API asks for a pause until after it. Nothing is rolled back. */
export function operationTimedOut(
    subject: string,
    limitMs: number,
    /** The setting for the time limit. */
    setting: string,
    cause: unknown,
): CloudDbError {
    const { ways = [] } = partsOf(cause);
    const pause = cause instanceof DeadlineError ? cause.pause : undefined;
    const [failed, more] =
        pause === undefined
            ? ["did not complete within its time limit", resuming(setting)]
            : ["cannot complete within its time limit", [resumesAfterPause]];
    const what = withPeriod(`${subject} ${failed} of ${formatDuration(limitMs)}: ${reasonOf(cause)}`);
    return new CloudDbError({ what: pause ? `${what} ${pause}` : what, ways: [...ways, ...more], cause });
}

/** An entry of the state, by its URN if the engine has passed it. */
const entryOf = (noun: string, urn: string | undefined): string =>
    `The entry of a ${noun}${urn === undefined ? "" : ` (${quotedName(urn)})`} in the state`;

/** An entry has outputs without what the runs have recorded: perhaps a person has edited the state. */
export function recordLost(noun: string, urn: string | undefined): CloudDbError {
    const removes = `\`pulumi state delete ${shellQuoted(urn)}\``;
    return new CloudDbError({
        what: `${entryOf(noun, urn)} has lost its record: import it again.`,
        ways: [
            way("Plugin", `${removes}, then \`pulumi import\``),
            way("Dynamic provider", `${removes}, declare its existingId, then \`pulumi up\``),
        ],
    });
}

/** A later version of the package has written the entry. */
export function writtenByLater(noun: string, urn: string | undefined, found: number, latest: number): CloudDbError {
    return new CloudDbError({
        what: `${entryOf(noun, urn)} has number ${found}, and this version of the package reads numbers up to ${latest}.`,
        ways: [way("Continue", "install the version that wrote it, or a later one")],
    });
}

/** A `.get` or an import has an id that no resource of this kind can have. */
export function invalidId(id: string, reason: string): CloudDbError {
    return new CloudDbError({
        what: `The id ${JSON.stringify(id)} cannot be read: ${reason}.`,
        ways: [way("Continue", "correct the id")],
    });
}

/** A `.get` or an import names a resource that the project does not have. */
export function missingResource(noun: string, id: string, projectId: string, setting: string): CloudDbError {
    return new CloudDbError({
        what: `There is no ${noun} ${JSON.stringify(id)} in project ${JSON.stringify(projectId)}.`,
        ways: [way("Correct", `the id, or the project (${setting})`)],
    });
}

/** A refresh has not found a resource with data. */
export const deletedOutside = (subject: string): string =>
    `${subject} does not exist: a run whose program declares it creates a new one, without its data`;

/** A deletion has not found its resource. */
export const notFoundByDeletion = (subject: string): string =>
    `${subject} was not found; if this token cannot see it, it runs on in no state`;

/** The resource was not found, and the project shows no others: perhaps the token cannot see them. */
export function nothingVisible(
    subject: string,
    urn: string | undefined,
    projectId: string,
    /** Where the project is declared. */
    setting: string,
    isProtected: boolean,
    /** The kinds of which it shows none. */
    kinds: readonly { readonly noun: string }[],
): CloudDbError {
    const nothing = kinds.map(({ noun }) => `no ${noun}`).join(" and ");
    return new CloudDbError({
        what: `${subject} was not found, and project ${JSON.stringify(projectId)} shows ${nothing} at all to this token. The state is kept.`,
        ways: [
            way("Check", `${setting}, and whether the token may read the project`),
            way(
                "If it was really deleted",
                `${isProtected ? "set deletionProtection: false, run `pulumi up`, then " : ""}\`pulumi refresh --target ${shellQuoted(urn)}\``,
            ),
        ],
    });
}

/** An existing resource with its age and size. */
function inWords({ id, description }: Existing): string {
    return description === "" ? id : `${id} (${description})`;
}

/** The lines of the program that adopt one of these resources. The state of an adopted one has only a declared password. */
function existingIdLines(ids: readonly string[], hasPassword: boolean): string {
    const lines = ids.map((id) => `existingId: ${JSON.stringify(id)}`).join(" or ");
    return `adopt it with ${lines}${hasPassword ? ", and declare a password" : ""}`;
}

/** The name of a resource in the program. */
export const quotedName = (urn: string): string => JSON.stringify(logicalName(urn));
