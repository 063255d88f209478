import {
    DeadlineError,
    InvalidResponseError,
    isNotFound,
    mayHaveHappened,
    partsOf,
    reasonOf,
    type CallError,
} from "../api/callErrors";
import { methods } from "../api/operations.gen";
import { casesPage } from "../base/installation";
import { logicalName, shellQuoted, showsUrns, way, withPeriod, type Message, type WayOut } from "../base/message";
import { formatDuration } from "../base/time";
import { createsAgain, resuming } from "../observe/wait";

/** What an operation has not done with a resource. */
export type Verb = "created" | "completed" | "updated" | "deleted";

/** An existing resource that may be the declared one, or may have its name. */
export interface Existing {
    readonly id: string;
    /** Its age and size, as text; empty if neither is known. */
    readonly description: string;
    /** Why it cannot be adopted as the declared resource; undefined if it can. */
    readonly refusal: string | undefined;
}

/** The page with what to do in each case. */
const otherCases = way("Other cases", casesPage);

/** How to keep a resource under a new name or parent, in any language: YAML accepts only URNs as aliases. */
export const addsAlias = `add its old URN, which ${showsUrns} prints, to its option aliases`;

/** What replaces a resource without a change of its own that requires it. */
export const forcedBy = "replaceOnChanges, replaceWith, replacementTrigger, or another provider";

/** The name of a resource in the program. */
export const quotedName = (urn: string): string => JSON.stringify(logicalName(urn));

/** What permits a deletion. A run must record it before another one deletes. */
const unprotected = "deletionProtection: false";

const permits = `set ${unprotected} and run \`pulumi up\``;

const renamedOrMoved = way("Renamed or moved", addsAlias);

/** Where the URN of a command is, if the message does not have it. */
const orFindsUrn = (urn: string | undefined): string => (urn === undefined ? ` (${showsUrns} prints the URN)` : "");

const untaints = (urn: string | undefined): string => `\`pulumi state untaint ${shellQuoted(urn)}\`${orFindsUrn(urn)}`;

const deletesIt = way(
    "Delete it",
    `declare ${unprotected} without ignoreChanges, run \`pulumi up\`, repeat the command`,
);

const replacesIt = way("Replace it", `undo the change, ${permits}; then make the change again`);

const isCreationOf = (verb: Verb, { method }: CallError): boolean => verb === "created" && methods[method] !== "read";

/** Whether the failed request of a creation may have created the resource. */
const mayHaveCreated = (verb: Verb, failure: CallError): boolean =>
    isCreationOf(verb, failure) && mayHaveHappened(failure);

/** After a creation whose result is unknown. */
const findOut = way("Find out", "run `pulumi up` again: if it exists, the error contains its id");

const resumesAfterPause = way("Resume", "repeat the command after the pause; nothing was rolled back");

/** The messages about resources, each with its ways out. Their texts are approved in a test, by key. */
export const messages = {
    /** A run would replace a protected resource. The reason is the changes that require it, or `forcedBy`. */
    replacementRefused: (subject: string, reason: string, urn: string | undefined, hasData: boolean) => ({
        what: `${subject} is protected, and this run would replace it (${reason})${hasData ? ": the new one would not have its data" : ""}.`,
        ways: [way("Keep it", "undo the change"), replacesIt, otherCases],
    }),
    /** The state of a resource forbids its deletion. If the program manages another one under its URN, that must stay protected. */
    deletionRefused: (subject: string, isSuperseded: boolean) => ({
        what: `${subject} is not deleted: its entry in the state has deletionProtection: true.`,
        ways: [...(isSuperseded ? [] : [deletesIt]), way("Renamed, moved or replaced", `your case in ${casesPage}`)],
    }),
    /** A deletion would begin a replacement that cannot be completed: what comes next has dependents. */
    replacementImpossible: (subject: string, next: string, reason: string, ways: readonly WayOut[]) => ({
        what: `${subject} is not deleted, because its replacement cannot be completed: ${next} is deleted next, and ${reason}`,
        ways,
    }),
    /** A resource uses another one that this run deletes before it creates the new one. */
    deletedWhileUsed: (subject: string, property: string, id: string, noun: string) => ({
        what:
            `${subject} uses ${property} ${JSON.stringify(id)}, which this change deletes before it ` +
            `creates the new one. The API rejects that. Make this change in two runs.`,
        ways: [
            way("1", `undo it, remove ${property} from the ${noun} and run \`pulumi up\``),
            way("2", `make it again, set ${property} again and run \`pulumi up\``),
        ],
    }),
    /** existingId is only read at creation. */
    existingIdChanged: (existingId: string, id: string, noun: string) => ({
        what: `existingId ${JSON.stringify(existingId)} differs from ${id}, the ${noun} that this resource manages.`,
        ways: [
            way(`Manage ${id}`, `set it to ${JSON.stringify(id)} or remove it`),
            way(`Manage ${existingId}`, "declare another resource with it"),
        ],
    }),
    /** The API rejected a creation, and another resource is in its way. */
    creationPrevented: (subject: string, { what, ways = [] }: Message, cause: unknown) => ({
        what: `${subject} was not created: ${what}`,
        ways: [renamedOrMoved, ...ways],
        cause,
    }),
    /** The run was cancelled while the result of a creation was unknown. The state has no entry of the resource. */
    creationCancelled: (subject: string, cause: unknown) => ({
        what: `${subject} may exist: the run was cancelled before the API confirmed its creation.`,
        ways: [findOut],
        cause,
    }),
    /** An existing resource cannot be adopted. */
    adoptionRefused: (existingId: string, reason: string) => ({
        what: `existingId ${JSON.stringify(existingId)} cannot be adopted: ${reason}.`,
        ways: [way("Another resource", "correct the id or the program"), way("A new resource", "remove existingId")],
    }),
    /** The project already has resources with this name, and as far as the run knows, the stack does not manage them. */
    alreadyExists: (
        subject: string,
        existing: readonly [Existing, ...Existing[]],
        name: string | undefined,
        urn: string | undefined,
        hasData: boolean,
    ) => {
        const adoptable = existing.filter(({ refusal }) => refusal === undefined).map(({ id }) => id);
        const [{ id, refusal }] = existing;
        const has = existing.length === 1 ? "has" : "have";
        const holds = name === undefined ? "" : ` ${has} the name ${JSON.stringify(name)}`;
        const second = name === undefined ? "" : ", or declare another `name` for a second one";
        return {
            what: `${subject} already exists: ${inWords(existing)}${holds}.`,
            ways: [
                renamedOrMoved,
                way(
                    "--replace or a taint",
                    `run without it (${untaints(urn)}), or set the option deleteBeforeReplace: true`,
                ),
                adoptable.length === 0
                    ? way("Cannot be adopted", `${id}, because ${refusal ?? ""}`)
                    : way("Left by an interrupted run, or removed from the state", existingIdLines(adoptable, hasData)),
                { ...otherCases, text: `${otherCases.text}${second}` },
            ],
        };
    },
    /** Another resource of the program manages the one that has this name, perhaps only until this run renames it. */
    nameInUse: (subject: string, other: string, id: string) => ({
        what: `${subject} already exists: resource ${other} of this program manages it (${id}).`,
        ways: [
            way("Its name changes in this run", "repeat the command"),
            way("Otherwise", "declare another `name`; a renamed resource keeps its generated name"),
        ],
    }),
    /** The response to a create request was lost or is wrong, and it is not certain which resource the request created. */
    uncertainCreation: (
        subject: string,
        found: readonly Existing[],
        name: string | undefined,
        hasData: boolean,
        cause: unknown,
    ) => {
        const ids = found.map(({ id }) => id);
        const lost = cause instanceof InvalidResponseError ? cause.reason : "the response to its creation was lost";
        return {
            what: `${subject}: ${withPeriod(lost)} This run or somebody else created ${inWords(found)}.`,
            ways: [
                way("If nobody else uses it", existingIdLines(ids, hasData)),
                ...(name === undefined ? [] : [way("Somebody else's", "choose another name")]),
            ],
            cause,
        };
    },
    /** A new or adopted resource has other values than the declared ones, and only a replacement changes them. */
    createdOtherwise: (subject: string, reason: string, adopted: { readonly urn: string | undefined } | undefined) => ({
        what: `${subject} was ${adopted ? "adopted" : "created"} with another value than the declared one (${reason}).`,
        ways: [
            way("Keep it", "declare the value that the API shows, which is the first one, and run `pulumi up`"),
            adopted
                ? way(
                      "Adopt another one",
                      `\`pulumi state delete --force ${shellQuoted(adopted.urn)}\`${orFindsUrn(adopted.urn)}, correct existingId, then \`pulumi up\``,
                  )
                : way("Replace it", "repeat the command: its preview shows the replacement, or what forbids it"),
        ],
    }),
    /** Reads of an adopted or imported resource do not show inputs. */
    notShown: (subject: string, property: string) => ({
        what: `${subject}: the API does not show ${property}; until a refresh shows it, nothing confirms a declared value`,
    }),
    /** A refresh has not found a resource. */
    deletedOutside: (subject: string, hasData: boolean) => ({
        what: `${subject} does not exist: a run whose program declares it creates a new one${hasData ? ", without its data" : ""}`,
    }),
    /** A deletion has not found its resource. */
    notFoundByDeletion: (subject: string, baseUrl: string, projectId: string) => ({
        what:
            `${subject} was not found at ${baseUrl} in project ${JSON.stringify(projectId)}; ` +
            "if this token cannot see it, it runs on in no state",
    }),
    /** The resource was not found, and the project shows nothing of these kinds: perhaps the token cannot see them. */
    nothingVisible: (
        subject: string,
        urn: string | undefined,
        projectId: string,
        setting: string,
        nouns: readonly string[],
    ) => ({
        what: `${subject} was not found, and project ${JSON.stringify(projectId)} shows ${nouns.map((noun) => `no ${noun}`).join(" and ")} at all to this token. The state is kept.`,
        ways: [
            way("Check", `${setting}, and whether the token may read the project`),
            way(
                "If it was really deleted",
                `${permits}; then \`pulumi refresh --target ${shellQuoted(urn)}\`${orFindsUrn(urn)}`,
            ),
        ],
    }),
    /** The API rejected a request of an operation on one resource, or did not respond. */
    operationFailed: (subject: string, verb: Verb, failure: CallError) => {
        const { ways = [] } = failure.parts;
        const isOfRequest = isCreationOf(verb, failure);
        const isUncertain = mayHaveCreated(verb, failure);
        const what = isUncertain ? `${subject} may not have been created` : `${subject} was not ${verb}`;
        const result = isOfRequest && !isUncertain ? " Nothing was created." : "";
        return {
            what: `${withPeriod(`${what}: ${failure.reason}`)}${result}`,
            ways: [...(isUncertain ? [findOut] : []), ...ways, ...(isNotFound(failure) ? [createsAgain] : [])],
            cause: failure,
        };
    },
    /** An operation reached its deadline, or the API asks for a pause until after it. Nothing is rolled back. */
    operationTimedOut: (subject: string, limitMs: number, setting: string, cause: unknown) => {
        const { ways = [] } = partsOf(cause);
        const pause = cause instanceof DeadlineError ? cause.pause : undefined;
        const [failed, more] =
            pause === undefined
                ? ["did not complete within its time limit", resuming(setting)]
                : ["cannot complete within its time limit", [resumesAfterPause]];
        const what = withPeriod(`${subject} ${failed} of ${formatDuration(limitMs)}: ${reasonOf(cause)}`);
        return { what: pause ? `${what} ${pause}` : what, ways: [...ways, ...more], cause };
    },
    /** An entry has outputs without what the runs have recorded: perhaps a person has edited the state. */
    recordLost: (noun: string, urn: string | undefined) => {
        const removes = `\`pulumi state delete --force ${shellQuoted(urn)}\`${orFindsUrn(urn)}`;
        return {
            what: `${entryIn(noun, urn)} has lost its record: import it again.`,
            ways: [
                way("Plugin", `${removes}, then \`pulumi import\``),
                way("Dynamic provider", `${removes}, declare its existingId, then \`pulumi up\``),
            ],
        };
    },
    /** A later version of the package has written the entry. */
    writtenByLater: (noun: string, urn: string | undefined, number: number, latest: number) => ({
        what: `${entryIn(noun, urn)} has number ${number}, and this version of the package reads numbers up to ${latest}.`,
        ways: [way("Continue", "install the version that wrote it, or a later one")],
    }),
    /** A `.get` or an import has an id that no resource of this kind can have. */
    invalidId: (id: string, reason: string) => ({
        what: `The id ${JSON.stringify(id)} cannot be read: ${reason}.`,
        ways: [way("Continue", "correct the id")],
    }),
    /** An import would record what a resource has in the middle of a change. */
    notImported: (subject: string, reason: string) => ({
        what: `${subject} was not imported: it is ${reason}, and an import records what a resource has at rest.`,
        ways: [way("Continue", "repeat the command when the change is complete")],
    }),
    /** A `.get` or an import names a resource that the project does not have, or will not have soon. */
    missingResource: (noun: string, id: string, projectId: string, setting: string, isGone: boolean) => {
        const named = `${noun} ${JSON.stringify(id)} in project ${JSON.stringify(projectId)}`;
        return {
            what: isGone ? `There is no ${named}.` : `The ${named} is being deleted.`,
            ways: [way("Correct", `the id, or the project (${setting})`)],
        };
    },
} satisfies Readonly<Record<string, (...parameters: never) => Message>>;

const entryIn = (noun: string, urn: string | undefined): string =>
    `The entry of a ${noun}${urn === undefined ? "" : ` (${quotedName(urn)})`} in the state`;

/** Existing resources with their age and size. */
function inWords(existing: readonly Existing[]): string {
    return existing.map(({ id, description }) => (description === "" ? id : `${id} (${description})`)).join(" and ");
}

/** The lines of the program that adopt one of these resources. The state of one with data has only a declared password. */
function existingIdLines(ids: readonly string[], hasData: boolean): string {
    const lines = ids.map((id) => `existingId: ${JSON.stringify(id)}`).join(" or ");
    return `adopt it with ${lines}${hasData ? ", and declare a password" : ""}`;
}
