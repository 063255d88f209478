import { described } from "../contract/operation";
import { failed, pending, ready, type Outcome, isCreating, isDeleting } from "../contract/outcome";
import { collectionOf, idOf } from "../contract/path";
import type { Kind, Operation, Resource } from "../contract/resource";
import { valueOf } from "../inputs/fields";
import { readList } from "../observe/reads";
import { sourceOf } from "../observe/source";
import { unlessChanging } from "../reconcile/lock";
import { deletesOrphan, needDependsOn } from "./errors";
import { nameOf } from "./subject";

/** A resource that prevents the deletion of another one. */
interface Dependent {
    readonly id: string;
    readonly text: string;
    /** Whether it may soon prevent the deletion no longer: it is being deleted, or an update may be removing its reference. */
    readonly isLeaving: boolean;
    /** What removes its reference. Undefined for a child, which has to be deleted. */
    readonly release: string | undefined;
}

/** Whether the children of a resource, and others that need it, prevent its deletion. */
export async function dependentsOf<K extends Kind>(
    operation: Operation<K>,
    kinds: readonly Resource<Kind>[],
): Promise<Outcome> {
    const { resource, id, context } = operation;
    const found = (await Promise.all(kinds.map((kind) => dependentsOfKind(kind, operation)))).flat();
    if (found.length === 0) {
        return ready;
    }
    const text = `it has ${found.map((one) => one.text).join(", ")}`;
    if (found.some(({ isLeaving }) => isLeaving)) {
        return pending("rejected", text);
    }
    const releases = new Set(found.flatMap(({ release = [] }) => release));
    const ways = [
        {
            label: "Delete them first",
            text: "`pulumi destroy --target 'URN'`, with the URN of each from `pulumi stack --show-urns`",
        },
        ...[...releases].map((release) => ({ label: "Or keep them", text: release })),
        { label: "In no stack", text: deletesOrphan("each one that no state has") },
        needDependsOn(resource.noun),
    ];
    return unlessChanging(failed("rejected", text, ways), [id, ...found.map((one) => one.id)], context);
}

/** The resources of this kind that are in the resource, or have its id in an input that prevents its deletion. */
async function dependentsOfKind<K extends Kind>(
    kind: Resource<Kind>,
    { resource: { type }, id, inputs: { projectId }, context }: Operation<K>,
): Promise<readonly Dependent[]> {
    const { parent, references = [] } = kind;
    if (kind.operations.delete === undefined) {
        return [];
    }
    const isChild = parent?.kind.type === type;
    const reference = references.find((one) => one.blocksDeletion === true && one.kind.type === type);
    if (!isChild && reference === undefined) {
        return [];
    }
    const collection = collectionOf(kind, projectId, isChild ? { [parent.input]: id } : {});
    const items = await readList(sourceOf(kind, collection, context.client), context, (list) => list.items);
    return items.flatMap((item) => {
        const observed = kind.observation.observe(item, collection);
        if (reference !== undefined && valueOf(observed, reference.input) !== id) {
            return [];
        }
        const ownId = idOf(kind, item, collection);
        return {
            id: ownId,
            text: described(kind, nameOf(kind, observed), ownId),
            isLeaving: isDeleting(kind, item) || (reference !== undefined && isCreating(kind, item as object)),
            release: reference && `remove ${reference.input} from each ${kind.noun}, and run \`pulumi up\``,
        };
    });
}
