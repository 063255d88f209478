import { adoptedId, collectionOf, idOf, ownIdOf, parentIdOf, pathOf } from "../../../provider/contract/path";
import { untypedResources, type ResourceType } from "../../../provider/resources";

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

const ofPeering: Row = {
    id: "7/9",
    path: { project_id: "p", vpc_id: "7", peering_id: "9" },
    inputs: { vpcId: "7" },
    collection: { project_id: "p", vpc_id: "7" },
    item: { id: "9" },
    short: "9",
};

const rows: Readonly<Record<ResourceType, Row>> = {
    Vpc: {
        id: "7",
        path: { project_id: "p", vpc_id: "7" },
        inputs: {},
        collection: { project_id: "p" },
        item: { id: "7", name: "main" },
        short: "7",
    },
    Peering: ofPeering,
    PeeringActivation: ofPeering,
    Service: {
        id: "abc",
        path: { project_id: "p", service_id: "abc" },
        inputs: {},
        collection: { project_id: "p" },
        item: { service_id: "abc", resources: [{ id: "other" }] },
        short: "abc",
    },
    ReadReplicaSet: {
        id: "abc/def",
        path: { project_id: "p", service_id: "abc", replica_set_id: "def" },
        inputs: { serviceId: "abc" },
        collection: { project_id: "p", service_id: "abc" },
        item: { id: "def" },
        short: "def",
    },
};

describe.each(Object.entries(rows) as [ResourceType, Row][])("%s", (type, row) => {
    const resource = untypedResources[type];

    it("has the path of its operations", () => {
        expect(pathOf(resource, "p", row.id)).toEqual(row.path);
        expect(collectionOf(resource, "p", row.inputs)).toEqual(row.collection);
        expect(parentIdOf(resource, collectionOf(resource, "p", row.inputs))).toBe(
            Object.values(row.collection).at(-1),
        );
    });

    it("has an id that begins with the id of its parent", () => {
        expect(idOf(resource, row.item, collectionOf(resource, "p", row.inputs))).toBe(row.id);
        expect(ownIdOf(resource, row.item)).toBe(row.short);
        expect(adoptedId(resource, row.short, row.inputs)).toBe(row.id);
        expect(adoptedId(resource, row.id, row.inputs)).toBe(row.id);
    });
});

it("an entry without a readable id has none", () => {
    expect(ownIdOf(untypedResources.Service, { service_id: null })).toBeNull();
    expect(ownIdOf(untypedResources.Peering, {})).toBeUndefined();
});
