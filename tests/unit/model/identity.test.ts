import { adoptedId, collectionPath, idOf, ownIdOf, parentIdOf, pathOf } from "../../../provider/model/identity";
import { untypedResources } from "../../../provider/resources";

const { Peering, ReadReplicaSet, Service } = untypedResources;

it("the id of a nested resource begins with the id of its parent, and its path has those of both", () => {
    const inputs: object = { serviceId: "orders1" };
    const collection = collectionPath(ReadReplicaSet, "project1", inputs);
    expect(collection).toEqual({ project_id: "project1", service_id: "orders1" });
    expect(parentIdOf(ReadReplicaSet, collection)).toBe("orders1");
    expect(idOf(ReadReplicaSet, { id: "set1" }, collection)).toBe("orders1/set1");
    expect(pathOf(ReadReplicaSet, "project1", "orders1/set1")).toEqual({ ...collection, replica_set_id: "set1" });
    expect(["set1", "orders1/set1"].map((id) => adoptedId(ReadReplicaSet, id, inputs))).toEqual([
        "orders1/set1",
        "orders1/set1",
    ]);
});

it("a resource without a parent has its own id, in the path as well", () => {
    const collection = collectionPath(Service, "project1", {});
    expect(collection).toEqual({ project_id: "project1" });
    expect(parentIdOf(Service, collection)).toBe("project1");
    expect(idOf(Service, { service_id: "orders1", resources: [{ id: "other" }] }, collection)).toBe("orders1");
    expect(pathOf(Service, "project1", "orders1")).toEqual({ project_id: "project1", service_id: "orders1" });
});

it("an entry without a readable id has none", () => {
    expect(ownIdOf(Service, { service_id: null })).toBeNull();
    expect(ownIdOf(Peering, {})).toBeUndefined();
});
