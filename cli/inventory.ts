import { readOptions, type CallOptions, type Client } from "../provider/api/client";
import { deletionPathOf } from "../provider/api/deletion";
import type { Path } from "../provider/lifecycle/resource";
import { resourceTypes, untypedLifecycles, type ResourceType } from "../provider/resources/index";

/** A resource that exists in a project. */
export interface InventoryItem {
    readonly type: ResourceType;
    /** The id in the state of a stack. */
    readonly id: string;
    /** The path of its `DELETE`, below the base URL. */
    readonly path: string;
    /** The observed state, with the names of the inputs and outputs. */
    readonly observed: Readonly<Record<string, unknown>>;
}

/** The default creation timeout of a fork, which takes longest. */
const longestCreationMs = 12 * 3_600_000;

/** Whether a run may still be creating the resource. An earlier export of its stack does not contain it. */
export function isBeingCreated({ type, observed: { status, created } }: InventoryItem, now: number): boolean {
    const isOld = typeof created === "string" && now - Date.parse(created) > longestCreationMs;
    const { statuses = [] } = untypedLifecycles[type].resource.creation;
    return !isOld && typeof status === "string" && statuses.includes(status);
}

/** All readable resources of a project, in an order in which they can be deleted. Sends only reads. */
export async function inventory(
    client: Client,
    projectId: string,
    onMalformed: CallOptions["onMalformed"],
): Promise<InventoryItem[]> {
    const lists = new Map<string, Promise<InventoryItem[]>>();
    // A parent comes before its children in the list of types.
    for (const type of resourceTypes) {
        const { collection, deletion } = untypedLifecycles[type].resource;
        const { parent } = collection;
        const paths =
            parent &&
            lists.get(parent.type)?.then((items) => items.map(({ id }) => parent.identity.pathOf(projectId, id)));
        if (deletion !== undefined) {
            lists.set(type, listAll(type, client, paths ?? [{ project_id: projectId }], onMalformed));
        }
    }
    return (await Promise.all([...lists.values()])).reverse().flat();
}

/** The resources of a type in all these collections. */
async function listAll(
    type: ResourceType,
    client: Client,
    collections: readonly Path[] | Promise<readonly Path[]>,
    onMalformed: CallOptions["onMalformed"],
): Promise<InventoryItem[]> {
    const lists = (await collections).map((collection) => listOf(type, client, collection, onMalformed));
    return (await Promise.all(lists)).flat();
}

async function listOf(
    type: ResourceType,
    client: Client,
    collection: Path,
    onMalformed: CallOptions["onMalformed"],
): Promise<InventoryItem[]> {
    const { resource } = untypedLifecycles[type];
    const items = await resource.collection.source(collection, client).list({ ...readOptions, onMalformed });
    return items
        .filter((item) => !resource.observation.isDeleting(item))
        .map((item) => {
            const id = resource.identity.idOf(item, collection);
            const path = deletionPathOf(resource.identity.pathOf(collection.project_id, id));
            return { type, id, path, observed: { ...resource.observation.observe(item, collection) } };
        });
}
