import { Registry } from "../../../provider/ownership/registry";

const database = { type: "Service", project: "p", id: "a" };
const other = { ...database, id: "b" };

describe("the manager of a physical resource", () => {
    it("the manager of a physical resource is the resource that manages it, even under the same URN", () => {
        const registry = new Registry();
        registry.record("orders", { manages: database });
        expect(registry.managerOf(database)).toBe("orders");
        expect(registry.managerOf(other)).toBeUndefined();
    });

    it("a resource that declares a physical resource with existingId adopts it, and does not manage it yet", () => {
        const registry = new Registry();
        registry.record("orders", { adopts: database });
        expect(registry.adopterOf(database)).toBe("orders");
        expect(registry.managerOf(database)).toBeUndefined();
        registry.record("orders", { adopts: undefined });
        expect(registry.adopterOf(database)).toBeUndefined();
    });

    it("a replaced resource has no manager", () => {
        const registry = new Registry();
        registry.record("orders", { manages: database });
        registry.record("orders", { manages: undefined });
        registry.record("orders", { manages: other });
        expect(registry.managerOf(database)).toBeUndefined();
        expect(registry.fact("orders", "manages")).toBe(other);
    });

    it("a resource of another type or project with the same id is not the manager", () => {
        const registry = new Registry();
        registry.record("orders", { manages: database });
        expect(registry.managerOf({ ...database, type: "Vpc" })).toBeUndefined();
        expect(registry.managerOf({ ...database, project: "q" })).toBeUndefined();
    });

    it("a refresh alone sets no manager, because it also reads resources that are pending deletion", () => {
        const registry = new Registry();
        registry.record("orders", { refreshed: database });
        expect(registry.managerOf(database)).toBeUndefined();
        expect(registry.own("orders").refreshed).toBe(database);
    });
});

describe("the facts of the other processes", () => {
    const counting = () => {
        let reads = 0;
        const facts = { publish: () => undefined, received: () => (reads++, []) };
        return { registry: new Registry(facts), reads: () => reads };
    };

    it("are read once for several questions without a pause, and again for the next call", async () => {
        const { registry, reads } = counting();
        registry.managerOf(database);
        registry.adopterOf(database);
        registry.inputsOf("orders");
        expect(reads()).toBe(1);
        await Promise.resolve();
        registry.managerOf(database);
        expect(reads()).toBe(2);
    });

    it("are always read before a deletion", () => {
        const { registry, reads } = counting();
        registry.assertComplete();
        registry.assertComplete();
        expect(reads()).toBe(2);
    });
});
