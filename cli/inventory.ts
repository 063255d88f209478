import type { CallOptions, Client } from "../provider/api/client";
import { deletionPathOf } from "../provider/api/deletion";
import type { Path } from "../provider/lifecycle/resource";
import { lifecycles, type ResourceType } from "../provider/resources/index";

/** Something that is in a project. */
export interface Thing {
    readonly type: ResourceType;
    /** The id that a program, and the state of a stack, knows it by. */
    readonly id: string;
    /** The path of its `DELETE`, below the base URL. */
    readonly path: string;
    /** What is seen of it, under the names of the inputs and outputs. */
    readonly seen: Readonly<Record<string, unknown>>;
}

/** A creation takes at most this long by default: that of a fork. */
const longestCreationMs = 12 * 3_600_000;

/** Statuses of something that a run is still creating. */
const creating: Readonly<Partial<Record<ResourceType, readonly unknown[]>>> = {
    Service: ["QUEUED", "CONFIGURING"],
    ReadReplicaSet: ["creating"],
};

/** Whether a run may still be creating it: the export of its stack, taken before that, does not contain it. */
export function isBeingCreated({ type, seen: { status, created } }: Thing, now: number): boolean {
    const isOld = typeof created === "string" && now - Date.parse(created) > longestCreationMs;
    return !isOld && (creating[type]?.includes(status) ?? false);
}

/** Everything in a project that can be read, in an order in which it can be deleted: reads only. */
export async function inventory(
    client: Client,
    projectId: string,
    onMalformed: CallOptions["onMalformed"],
): Promise<Thing[]> {
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
): Promise<Thing[]> {
    const { resource } = lifecycles[type] as (typeof lifecycles)["Vpc"];
    const items = await resource.source(collection, client).list({ onMalformed });
    return items
        .filter((item) => !resource.isDeleting(item))
        .map((item) => {
            const id = resource.idOf(item, collection);
            const path = deletionPathOf(resource.pathOf(collection.project_id, id));
            return { type, id, path, seen: { ...resource.observe(item, collection) } };
        });
}
