import type { Client } from "../provider/api/client";
import type { Path } from "../provider/resources/contract";
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

/** Everything that is in a project: reads only. */
export async function inventory(client: Client, projectId: string): Promise<Thing[]> {
    const project = { project_id: projectId };
    const [vpcs, services] = await Promise.all([list("Vpc", client, project), list("Service", client, project)]);
    const peerings = await Promise.all(vpcs.map(({ id }) => list("Peering", client, { ...project, vpc_id: id })));
    const sets = await Promise.all(
        services.map(({ id }) => list("ReadReplicaSet", client, { ...project, service_id: id })),
    );
    return [...vpcs, ...peerings.flat(), ...services, ...sets.flat()];
}

type Listed = Exclude<ResourceType, "PeeringActivation">;

/** Where each kind is below the project. */
const places: Readonly<Record<Listed, (id: string) => string>> = {
    Vpc: (id) => `vpcs/${encoded(id)}`,
    Peering: (id) => within("vpcs", "peerings", id),
    Service: (id) => `services/${encoded(id)}`,
    ReadReplicaSet: (id) => within("services", "replicaSets", id),
};

function within(parents: string, children: string, id: string): string {
    const [parent = "", child = ""] = id.split("/");
    return `${parents}/${encoded(parent)}/${children}/${encoded(child)}`;
}

/** An id as it is in a path; also safe between the quotes of a shell. */
const encoded = (id: string) => encodeURIComponent(id).replaceAll("!", "%21");

async function list(type: Listed, client: Client, home: Path): Promise<Thing[]> {
    const { resource } = lifecycles[type] as (typeof lifecycles)["Vpc"];
    const items = await resource.source(home, client).list();
    return items
        .filter((item) => !resource.leaving(item))
        .map((item) => {
            const id = resource.idOf(item, home);
            const path = `/projects/${home.project_id}/${places[type](id)}`;
            return { type, id, path, seen: { ...resource.observe(item, home) } };
        });
}
