import { Registry } from "../../../provider/lifecycle/registry";

const database = { type: "Service", projectId: "p", id: "a" };
const other = { ...database, id: "b" };

describe("the manager of a physical resource", () => {
    it("the manager of a physical resource is the resource that manages it, also under the same URN", () => {
        const registry = new Registry();
        registry.manages("orders", database);
        expect(registry.managerOf(database)).toBe("orders");
        expect(registry.managerOf(other)).toBeUndefined();
    });

    it("a resource that declares a physical resource with existingId adopts it, and does not manage it yet", () => {
        const registry = new Registry();
        registry.adopts("orders", database);
        expect(registry.adopterOf(database)).toBe("orders");
        expect(registry.managerOf(database)).toBeUndefined();
        registry.adopts("orders", undefined);
        expect(registry.adopterOf(database)).toBeUndefined();
    });

    it("a replaced resource has no manager", () => {
        const registry = new Registry();
        registry.manages("orders", database);
        registry.leaves("orders");
        registry.manages("orders", other);
        expect(registry.managerOf(database)).toBeUndefined();
        expect(registry.managedBy("orders")).toBe(other);
    });

    it("a resource of another type or project with the same id is not the manager", () => {
        const registry = new Registry();
        registry.manages("orders", database);
        expect(registry.managerOf({ ...database, type: "Vpc" })).toBeUndefined();
        expect(registry.managerOf({ ...database, projectId: "q" })).toBeUndefined();
    });

    it("a refresh alone sets no manager, because it also reads resources that are pending deletion", () => {
        const registry = new Registry();
        registry.refreshed("orders", database);
        expect(registry.managerOf(database)).toBeUndefined();
        expect(registry.inStateOf("orders")).toBe(database);
    });
});
