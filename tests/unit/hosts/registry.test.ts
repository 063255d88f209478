import { Registry } from "../../../provider/lifecycle/registry";

const database = { type: "Service", projectId: "p", id: "a" };
const other = { ...database, id: "b" };

describe("the user of a physical resource", () => {
    it("the user of a physical resource is the resource that manages it, also under the same URN", () => {
        const registry = new Registry();
        registry.manages("orders", database);
        expect(registry.userOf(database)).toBe("orders");
        expect(registry.userOf(other)).toBeUndefined();
    });

    it("the user of a physical resource is the resource that declares it with existingId, before the adoption", () => {
        const registry = new Registry();
        registry.adopts("orders", database);
        expect(registry.userOf(database)).toBe("orders");
        registry.adopts("orders", undefined);
        expect(registry.userOf(database)).toBeUndefined();
    });

    it("a replaced resource has no user", () => {
        const registry = new Registry();
        registry.manages("orders", database);
        registry.leaves("orders");
        registry.manages("orders", other);
        expect(registry.userOf(database)).toBeUndefined();
        expect(registry.managedBy("orders")).toBe(other);
    });

    it("a resource of another type or project with the same id is not the user", () => {
        const registry = new Registry();
        registry.manages("orders", database);
        expect(registry.userOf({ ...database, type: "Vpc" })).toBeUndefined();
        expect(registry.userOf({ ...database, projectId: "q" })).toBeUndefined();
    });

    it("a refresh alone sets no user, because it also reads resources that are pending deletion", () => {
        const registry = new Registry();
        registry.refreshed("orders", database);
        expect(registry.userOf(database)).toBeUndefined();
        expect(registry.inStateOf("orders")).toBe(database);
    });
});
