import { appearsInUseWithinMs } from "../wait/schedule";
import { missingReference } from "./errors";
import type { OperationContext } from "./operation";
import { read } from "./reads";
import type { Reference } from "./resource";

/**
 * Fails if an input contains the id of a resource that does not exist. A resource that this run created or manages is
 * not read, because it may not be visible to reads yet.
 */
export async function assertReferences(
    references: readonly Reference[],
    subject: string,
    projectId: string,
    context: OperationContext,
): Promise<void> {
    for (const { property, id, kind } of references) {
        if (context.isManaged(kind.type, projectId, id)) {
            continue;
        }
        context.status(`checking that ${kind.noun} ${id} exists`);
        const source = kind.sourceIn({ project_id: projectId }, context.client);
        if ((await read({ id, source, context }, appearsInUseWithinMs)) === undefined) {
            throw missingReference(subject, property, id, kind.noun, projectId);
        }
    }
}
