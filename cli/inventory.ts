import { deletionPathOf } from "./deletionCommand";
import { pathOf } from "../provider/model/identity";
import { isCreating } from "../provider/model/outcome";
import { resourceTypes, untypedResources } from "../provider/resources/index";
import type { Listed, ProjectResources } from "./projectResources";

/** A resource of a project that can be deleted. */
export interface InventoryItem extends Listed {
    /** The path of its `DELETE`, below the base URL. */
    readonly path: string;
}

/** The default creation timeout of a fork, which takes longest. */
const longestCreationMs = 12 * 3_600_000;

/** Whether a run may still be creating the resource. An earlier export of its stack does not contain it. */
export function isBeingCreated({ type, observed }: InventoryItem, now: number): boolean {
    const { created } = observed;
    const isOld = typeof created === "string" && now - Date.parse(created) > longestCreationMs;
    return !isOld && isCreating(untypedResources[type], observed);
}

/** All readable resources of a project, in an order in which they can be deleted. */
export async function inventory(resources: ProjectResources): Promise<InventoryItem[]> {
    const lists = await Promise.all(
        resourceTypes.map(async (type) => {
            const kind = untypedResources[type];
            const { delete: operation } = kind.operations;
            if (operation === undefined) {
                return [];
            }
            return (await resources.of(type)).map((item) => ({
                ...item,
                path: deletionPathOf(operation, pathOf(kind, item.collection.project_id, item.id)),
            }));
        }),
    );
    return lists.reverse().flat();
}
