import { meaningOf } from "../api/callAdvice";
import { CloudDbError, InvalidResponseError, ProjectNotFoundError } from "../api/callErrors";
import type { Context } from "../model/context";
import type { Operation } from "../model/operation";
import type { Resource, State } from "../model/resource";
import { isProtected } from "../model/state";
import { callOptions } from "../observe/progress";
import { collectionAt } from "../observe/reads";
import { dynamicToken } from "../base/names";
import { messages } from "./messages";
import type { Managed } from "./managed";

/** Fails if the project of a protected resource seems to be empty: a token that sees nothing would remove it from the state. */
export async function assertSomethingVisible({ kinds }: Managed, operation: Operation, state: State): Promise<void> {
    const { resource, subject, context } = operation;
    const { projectId, record } = state;
    if (isProtected(resource, state) && (await isProjectEmpty(kinds, projectId, context))) {
        const nouns = kinds.filter(isOfProject).map(({ noun }) => noun);
        const setting = context.client.projectSetting(projectId);
        throw new CloudDbError(messages.nothingVisible(subject, presentUrn(record.urn), projectId, setting, nouns));
    }
}

/**
 * The URN in a state, for a command. The dynamic host gets none with a read or a deletion, and after a rename with an alias, its
 * state has the old one until the next update. The plugin gets it from the engine.
 */
const presentUrn = (stored: string | undefined): string | undefined =>
    stored?.includes(dynamicToken("")) ? undefined : stored;

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
