import { readOptions, type CallOptions, type Client } from "../provider/api/client";
import { deletionPathOf } from "../provider/api/deletion";
import type { Path } from "../provider/lifecycle/resource";
import { lifecycles, type ResourceType } from "../provider/resources/index";

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

/** The default time-out of the longest creation, that of a fork. */
const longestCreationMs = 12 * 3_600_000;

/** The statuses of resources that a run is still creating. */
const creating: Readonly<Partial<Record<ResourceType, readonly unknown[]>>> = {
    Service: ["QUEUED", "CONFIGURING"],
    ReadReplicaSet: ["creating"],
};

/** Whether a run may still be creating the resource. An earlier export of its stack does not contain it. */
export function isBeingCreated({ type, observed: { status, created } }: InventoryItem, now: number): boolean {
    const isOld = typeof created === "string" && now - Date.parse(created) > longestCreationMs;
    return !isOld && (creating[type]?.includes(status) ?? false);
}

/** All readable resources of a project, in an order in which they can be deleted. Sends only reads. */
export async function inventory(
    client: Client,
    projectId: string,
    onMalformed: CallOptions["onMalformed"],
): Promise<InventoryItem[]> {
    const project = { project_id: projectId };
    const list = (type: Listed, collection: Path) => listOf(type, client, collection, onMalformed);
    const [vpcs, services] = await Promise.all([list("Vpc", project), list("Service", project)]);
    const peerings = await Promise.all(vpcs.map(({ id }) => list("Peering", { ...project, vpc_id: id })));
    const sets = await Promise.all(services.map(({ id }) => list("ReadReplicaSet", { ...project, service_id: id })));
    return [...sets.flat(), ...services, ...peerings.flat(), ...vpcs];
}

type Listed = Exclude<ResourceType, "PeeringActivation">;

async function listOf(
    type: Listed,
    client: Client,
    collection: Path,
    onMalformed: CallOptions["onMalformed"],
): Promise<InventoryItem[]> {
    const { resource } = lifecycles[type] as (typeof lifecycles)["Vpc"];
    const items = await resource.collection.source(collection, client).list({ ...readOptions, onMalformed });
    return items
        .filter((item) => !resource.state.isDeleting(item))
        .map((item) => {
            const id = resource.identity.idOf(item, collection);
            const path = deletionPathOf(resource.identity.pathOf(collection.project_id, id));
            return { type, id, path, observed: { ...resource.state.observe(item, collection) } };
        });
}
