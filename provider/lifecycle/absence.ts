import { meaningOf } from "../api/callAdvice";
import {
    ApiError,
    CloudDbError,
    InvalidResponseError,
    isUnknownOperation,
    ProjectNotFoundError,
} from "../api/callErrors";
import type { Context } from "../model/context";
import type { Operation } from "../model/operation";
import type { Resource, State } from "../model/resource";
import { isProtected } from "../model/state";
import { callOptions } from "../observe/progress";
import { collectionAt } from "../observe/reads";
import { dynamicToken } from "../base/names";
import { messages } from "./messages";
import type { Managed } from "./managed";

/**
 * Fails if the project of a protected resource, or of several resources, seems to be empty. A token that sees nothing would
 * otherwise remove them all from the state.
 */
export async function assertSomethingVisible(
    { session, kinds }: Managed,
    operation: Operation,
    state: State,
): Promise<void> {
    const { projectId } = state;
    const isKept = isProtected(operation.resource, state);
    const isSuspicious = isKept || session.reads.size > 1;
    if (isSuspicious && (await isProjectEmpty(kinds, projectId, operation.context))) {
        throw nothingVisibleOf(operation, state, kinds, isKept);
    }
}

/**
 * Fails if a resource that a deletion has not found may exist: the project seems to be empty, and the API says that this token
 * belongs to another one. Only the first deletion of a run asks. Otherwise warns, because nothing proves that it is gone.
 */
export async function believeAbsence({ session, kinds }: Managed, operation: Operation, state: State): Promise<void> {
    const { subject, context } = operation;
    const { projectId } = state;
    const isBlind = session.blindIn.get(projectId) ?? isBlindIn(projectId, kinds, context);
    session.blindIn.set(projectId, isBlind);
    if (await isBlind) {
        throw nothingVisibleOf(operation, state, kinds, false);
    }
    context.warn(messages.notFoundByDeletion(subject).what);
}

const nothingVisibleOf = (
    { subject, context }: Operation,
    { projectId, record }: State,
    kinds: readonly Resource[],
    isKept: boolean,
) =>
    new CloudDbError(
        messages.nothingVisible(
            subject,
            presentUrn(record.urn),
            isKept,
            projectId,
            context.client.projectSetting(projectId),
            kinds.filter(isOfProject).map(({ noun }) => noun),
        ),
    );

/**
 * The URN in a state, for a command. The dynamic host gets none with a read or a deletion, and after a rename with an alias, its
 * state has the old one until the next update. The plugin gets it from the engine.
 */
const presentUrn = (stored: string | undefined): string | undefined =>
    stored?.includes(dynamicToken("")) ? undefined : stored;

/** Whether the project shows nothing, and the API says that this token cannot see it. It need not say so. */
async function isBlindIn(projectId: string, kinds: readonly Resource[], context: Context): Promise<boolean> {
    if (!(await isProjectEmpty(kinds, projectId, context))) {
        return false;
    }
    const { client } = context;
    const projects = await ifAnswered(client.call("listProjects", {}, callOptions(context)));
    if (projects?.some(({ id }) => id === projectId) === false) {
        return true;
    }
    const caller = await ifAnswered(client.call("getAuthInfo", {}, callOptions(context)));
    return (caller?.api_key?.project?.id ?? projectId) !== projectId;
}

/** Undefined if this token may not ask, or the API has no such operation. */
const ifAnswered = <T>(call: Promise<T>): Promise<T | undefined> =>
    call.catch((error: unknown) => {
        if (isUnknownOperation(error) || (error instanceof ApiError && error.failureClass === "unauthorized")) {
            return undefined;
        }
        throw error;
    });

/** Whether resources of this kind belong to a project itself, and not to another resource of it. */
const isOfProject = ({ parent }: Resource): boolean => parent === undefined;

/** Whether the project shows no resource at all. The API may not have the list of one of the kinds. */
async function isProjectEmpty(all: readonly Resource[], projectId: string, context: Context): Promise<boolean> {
    const found = await Promise.all(
        all.filter(isOfProject).map((kind) => {
            const collection = collectionAt(kind, { project_id: projectId }, context.client);
            return context.lists.list(collection, callOptions(context)).catch((error: unknown) => {
                if (
                    error instanceof ProjectNotFoundError ||
                    (error instanceof InvalidResponseError && meaningOf(error.status) === 404)
                ) {
                    return [];
                }
                throw error;
            });
        }),
    );
    return found.every((items) => items.length === 0);
}
