import { keyOf, Table } from "../../../provider/ownership/table";

const database = { type: "Service", project: "p", id: "a" };
const urnsWith = (table: Table, key: string) => table.with(key).map(({ urn }) => urn);

describe("the table of facts", () => {
    it.each([
        ["declared", { declared: { type: "Service", inputs: {} } }, keyOf.declared],
        ["declared", { declared: { type: "Service", inputs: {} } }, keyOf.type("Service")],
        ["identity", { identity: "hash" }, keyOf.identity("hash")],
        ["aliases", { aliases: ["former"] }, keyOf.urn("former")],
        ["adopts", { adopts: database }, keyOf.adopts(database)],
        ["announces", { announces: { type: "Service", existingId: "a" } }, keyOf.announces("Service")],
        ["announces", { announces: { type: "Service", aliases: ["former"] } }, keyOf.urn("former")],
        ["manages", { manages: database }, keyOf.manages(database)],
        ["replacedId", { replacedId: "a" }, keyOf.replaces("a")],
    ] as const)("finds a resource by the fact `%s`, until it no longer holds", (fact, facts, key) => {
        const table = new Table();
        table.add("orders", facts);
        table.add("other", {});
        expect(urnsWith(table, key)).toEqual(["orders"]);
        table.add("orders", { isPreview: true });
        expect(urnsWith(table, key)).toEqual(["orders"]);
        table.add("orders", { [fact]: undefined });
        expect(urnsWith(table, key)).toEqual([]);
    });

    it("finds a resource by its URN, without the stack and the project, and by its name", () => {
        const table = new Table();
        const [type, name] = ["pulumi-nodejs:dynamic/clouddb:Service", "orders"];
        table.add(`urn:pulumi:dev::shop::${type}::${name}`, {});
        expect(table.with(keyOf.urn(`urn:pulumi:prod::shop::${type}::${name}`))).toHaveLength(1);
        expect(table.with(keyOf.urn(`urn:pulumi:prod::shop::parent$${type}::${name}`))).toEqual([]);
        expect(table.with(keyOf.name(`urn:pulumi:prod::shop::parent$${type}::${name}`))).toHaveLength(1);
    });
});
