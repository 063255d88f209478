import { way, described, showsUrns, type WayOut } from "../base/message";
import { commandLine } from "../base/installation";
import { undefinedIfNotFound } from "../api/callErrors";
import { isCreating, isDeleting } from "../model/outcome";
import { collectionPath, idOf, nameOf } from "../model/identity";
import type { Operation } from "../model/operation";
import type { Resource } from "../model/resource";
import { show, valueOf } from "../base/fields";
import { callOptions } from "../observe/progress";
import { collectionAt } from "../observe/reads";
import type { Rejecting } from "./cases";

/** How to delete a resource that no state has any more. */
const deletesOrphan = (id: string): string =>
    `\`pulumi stack export | ${commandLine("orphans")} --delete-commands -\` prints commands; run only that of ${id}`;

/** Why Pulumi did not delete first what prevents the deletion of a resource. */
const needDependsOn = (noun: string): WayOut =>
    way("In this stack", `they need the option dependsOn with the ${noun}, and not deletedWith`);

/** A resource that prevents the deletion of another one. */
interface Dependent {
    readonly noun: string;
    readonly text: string;
    /** Whether it is being deleted, or a change in progress may remove its reference. */
    readonly isLeaving: boolean;
    /** How a program removes its reference. Undefined for a child, which has to be deleted. */
    readonly release: string | undefined;
}

/** The children of a resource, and others that need it, which prevent its deletion. Undefined if there are none. */
export async function rejectedByDependents(
    operation: Operation,
    kinds: readonly Resource[],
): Promise<Rejecting | undefined> {
    const { resource } = operation;
    const found = (await Promise.all(kinds.map((kind) => dependentsOfKind(kind, operation)))).flat();
    if (found.length === 0) {
        return undefined;
    }
    const reason = `it has ${found.map((one) => one.text).join(", ")}`;
    if (found.some(({ isLeaving }) => isLeaving)) {
        const ways = [way("Continue", "repeat the command when that change is complete")];
        return { verdict: "rejecting", reason, ways, isTransient: true };
    }
    const releases = [...new Set(found.flatMap(({ release = [] }) => release))];
    // What only refers to the resource may have data: no way out deletes it.
    const children = [...new Set(found.filter(({ release }) => release === undefined).map(({ noun }) => noun))];
    const ways = [
        ...releases.map((release) => way("Keep what uses it", release)),
        ...children.map((noun) =>
            way(`Delete each ${noun} first`, `\`pulumi destroy --target 'URN'\`, with the URN from ${showsUrns}`),
        ),
        ...(children.length === 0 ? [] : [way("In no stack", deletesOrphan("each one named above"))]),
        needDependsOn(resource.noun),
    ];
    return { verdict: "rejecting", reason, ways, isTransient: false };
}

/** The resources of this kind that are in the resource, or have its id in an input that prevents its deletion. */
async function dependentsOfKind(
    kind: Resource,
    { resource: { type }, id, inputs: { projectId }, context }: Operation,
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
    const path = collectionPath(kind, projectId, isChild ? { [parent.input]: id } : {});
    const collection = collectionAt(kind, path, context.client);
    // An API without these operations has no such resources.
    const items = (await undefinedIfNotFound(collection.list(callOptions(context)))) ?? [];
    return items.flatMap((item) => {
        const observed = kind.observation.observe(item, path);
        const itemId = idOf(kind, item, path);
        if (reference !== undefined && valueOf(observed, reference.input) !== id) {
            return [];
        }
        return {
            noun: kind.noun,
            text: described(kind, nameOf(kind, observed), itemId),
            // A detachment in progress shows the statuses of a creation, such as CONFIGURING.
            isLeaving: isDeleting(kind, item) || (reference !== undefined && isCreating(kind, item as object)),
            release:
                reference &&
                `declare ${reference.input}: ${show(id)} in each adopted ${kind.noun} without it, and run \`pulumi up\`; then ` +
                    `remove ${reference.input} from each ${kind.noun} and run \`pulumi up\`; detach by hand one that is in no stack`,
        };
    });
}
