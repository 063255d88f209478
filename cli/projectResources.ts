import { type Client } from "../provider/api/client";
import { collectionPath, idOf } from "../provider/model/identity";
import { isDeleting } from "../provider/model/outcome";
import type { Path } from "../provider/model/resource";
import { collectionAt } from "../provider/observe/reads";
import { untypedResources, type ResourceType } from "../provider/resources/index";

/** A resource that exists in a project. */
export interface Listed {
    readonly type: ResourceType;
    /** The id in the state of a stack. */
    readonly id: string;
    /** The path of the collection that contains it. */
    readonly collection: Path;
    /** The observed state, with the names of the inputs and outputs. */
    readonly observed: Readonly<Record<string, unknown>>;
}

/** The existing resources of a project. Sends only reads, and each list call once. */
export class ProjectResources {
    private readonly lists = new Map<ResourceType, Promise<readonly Listed[]>>();

    constructor(
        private readonly client: Client,
        private readonly projectId: string,
    ) {}

    /** All resources of a type. */
    of(type: ResourceType): Promise<readonly Listed[]> {
        const list = this.lists.get(type) ?? this.inAllCollections(type);
        this.lists.set(type, list);
        return list;
    }

    private async inAllCollections(type: ResourceType): Promise<readonly Listed[]> {
        const resource = untypedResources[type];
        const { parent } = resource;
        if (parent === undefined) {
            return this.in(type, { project_id: this.projectId });
        }
        const parents = await this.of(parent.kind.type as ResourceType);
        const paths = parents.map(({ id }) => collectionPath(resource, this.projectId, { [parent.input]: id }));
        return (await Promise.all(paths.map((path) => this.in(type, path)))).flat();
    }

    private async in(type: ResourceType, collection: Path): Promise<readonly Listed[]> {
        const resource = untypedResources[type];
        const items = await collectionAt(resource, collection, this.client).list({});
        return items
            .filter((item) => !isDeleting(resource, item))
            .map((item) => ({
                type,
                id: idOf(resource, item, collection),
                collection,
                observed: { ...resource.observation.observe(item, collection) },
            }));
    }
}

/** The name of a resource, or its id if it has no name. */
export function listedName({ observed, id }: Pick<Listed, "observed" | "id">): string {
    return typeof observed.name === "string" ? observed.name : id.replace("/", "-");
}
