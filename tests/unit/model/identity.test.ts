import { adoptedId, collectionPath, idOf, ownIdOf, parentIdOf, pathOf } from "../../../provider/model/identity";
import contract from "../../../provider/api/openapi.gen.json";
import { resourceTypes, untypedResources, type ResourceType } from "../../../provider/resources";

interface Row {
    readonly id: string;
    readonly path: Readonly<Record<string, string>>;
    /** The inputs that name the collection. */
    readonly inputs: object;
    readonly collection: Readonly<Record<string, string>>;
    /** The resource in a response. */
    readonly item: object;
    /** The existingId without the id of the parent. */
    readonly short: string;
}

/** From the path of an operation on one resource, such as `/projects/{project_id}/vpcs/{vpc_id}`. */
const rows = resourceTypes.map((type): readonly [ResourceType, Row] => {
    const { operations: of, parent } = untypedResources[type];
    const [place = ""] =
        Object.entries<object>(contract.paths).find(([, item]) =>
            Object.values(item).some(
                ({ operationId }: { operationId?: string }) => operationId === (of.delete ?? of.get),
            ),
        ) ?? [];
    const path = [...place.matchAll(/\{(\w+)\}/g)].map(([, name = ""], index) => [name, `id${index}`] as const);
    const [param, short] = path.at(-1) ?? ["", ""];
    const collection = path.slice(0, -1);
    const item = type === "Service" ? { [param]: short, resources: [{ id: "other" }] } : { id: short, name: "main" };
    return [
        type,
        {
            id: path
                .slice(1)
                .map(([, id]) => id)
                .join("/"),
            path: Object.fromEntries(path),
            inputs: parent === undefined ? {} : { [parent.input]: collection.at(-1)?.[1] },
            collection: Object.fromEntries(collection),
            item,
            short,
        },
    ];
});

it("a read replica set has the ids of its project, its service and its own in its path", () => {
    expect(new Map(rows).get("ReadReplicaSet")).toMatchObject({
        id: "id1/id2",
        path: { project_id: "id0", service_id: "id1", replica_set_id: "id2" },
        inputs: { serviceId: "id1" },
    });
});

describe.each(rows)("%s", (type, row) => {
    const resource = untypedResources[type];

    it("has the path of its operations", () => {
        expect(pathOf(resource, "id0", row.id)).toEqual(row.path);
        expect(collectionPath(resource, "id0", row.inputs)).toEqual(row.collection);
        expect(parentIdOf(resource, collectionPath(resource, "id0", row.inputs))).toBe(
            Object.values(row.collection).at(-1),
        );
    });

    it("has an id that begins with the id of its parent", () => {
        expect(idOf(resource, row.item, collectionPath(resource, "id0", row.inputs))).toBe(row.id);
        expect(ownIdOf(resource, row.item)).toBe(row.short);
        expect(adoptedId(resource, row.short, row.inputs)).toBe(row.id);
        expect(adoptedId(resource, row.id, row.inputs)).toBe(row.id);
    });
});

it("an entry without a readable id has none", () => {
    expect(ownIdOf(untypedResources.Service, { service_id: null })).toBeNull();
    expect(ownIdOf(untypedResources.Peering, {})).toBeUndefined();
});
