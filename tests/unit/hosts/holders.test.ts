import { ManagedResources } from "../../../provider/lifecycle/registry";

const database = { type: "Service", projectId: "p", id: "a" };
const other = { ...database, id: "b" };

describe("the user of a physical resource", () => {
    it("the user is the resource that manages it, also under the same URN", () => {
        const holders = new ManagedResources();
        holders.manages("orders", database);
        expect(holders.userOf(database)).toBe("orders");
        expect(holders.userOf(other)).toBeUndefined();
    });

    it("the user is the resource that declares it with existingId, before the adoption", () => {
        const holders = new ManagedResources();
        holders.declares("orders", database);
        expect(holders.userOf(database)).toBe("orders");
        holders.declares("orders", undefined);
        expect(holders.userOf(database)).toBeUndefined();
    });

    it("a replaced resource has no user", () => {
        const holders = new ManagedResources();
        holders.manages("orders", database);
        holders.leaves("orders");
        holders.manages("orders", other);
        expect(holders.userOf(database)).toBeUndefined();
        expect(holders.managedBy("orders")).toBe(other);
    });

    it("a resource of another type or project with the same id is not the user", () => {
        const holders = new ManagedResources();
        holders.manages("orders", database);
        expect(holders.userOf({ ...database, type: "Vpc" })).toBeUndefined();
        expect(holders.userOf({ ...database, projectId: "q" })).toBeUndefined();
    });

    it("a refresh alone sets no user, because it also reads resources that are pending deletion", () => {
        const holders = new ManagedResources();
        holders.hadBefore("orders", database);
        expect(holders.userOf(database)).toBeUndefined();
        expect(holders.inStateOf("orders")).toBe(database);
    });
});
