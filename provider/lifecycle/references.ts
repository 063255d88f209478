import { appearsInUseWithinMs } from "../wait/schedule";
import { missingReference } from "./errors";
import type { OperationContext } from "./operation";
import { readItem } from "./reads";
import type { Kind, Reference, Resource } from "./resource";
import { valueOf, type Field } from "../inputs/fields";

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
        if (context.run.managerOrAdopterOf({ type: kind.type, projectId, id }) !== undefined) {
            continue;
        }
        context.status(`checking that ${kind.noun} ${id} exists`);
        const source = kind.sourceIn({ project_id: projectId }, context.client);
        if ((await readItem(source, id, context, appearsInUseWithinMs)) === undefined) {
            throw missingReference(subject, property, id, kind.noun, projectId);
        }
    }
}

/** The references whose change updates the resource in place. */
export function updatableReferences<K extends Kind>(
    { creation, fields }: Resource<K>,
    inputs: K["Inputs"],
): readonly Reference[] {
    const references = creation.references?.(inputs) ?? [];
    return references.filter(({ property }) => (valueOf(fields, property) as Field | undefined)?.onChange === "update");
}
