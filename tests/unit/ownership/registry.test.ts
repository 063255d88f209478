import { Registry } from "../../../provider/ownership/registry";
import { keyOf, type Facts } from "../../../provider/ownership/table";
import { factsInMemory } from "../../support/runFacts";

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

it("an import that has begun is an adoption, and a read of a resource that the program does not declare is not", () => {
    const registry = new Registry();
    registry.record("view", { imports: database, isUnfinished: true });
    expect(registry.adopterOf(database)).toBe("view");
    registry.record("view", { isUnfinished: false });
    expect(registry.adopterOf(database)).toBeUndefined();
    registry.record("view", { declared: { type: "Service", inputs: {} } });
    expect(registry.adopterOf(database)).toBe("view");
});

describe("resources that a run leaves out", () => {
    const urnOf = (name: string, parents = "") => `urn:pulumi:dev::shop::${parents}clouddb:index:Service::${name}`;
    const [urn, nested] = [urnOf("orders"), urnOf("orders", "shop:index:Shop$")];
    const old = { ...database, urn, formerUrns: [urnOf("legacy")], distinctFrom: ["b"] };
    const announces = { type: "Service" };

    it.each<[string, string, Facts, boolean]>([
        ["with the same name under another parent", nested, { announces }, true],
        ["with another id", nested, { announces: { ...announces, id: "c" } }, true],
        ["with a name that it had before", urnOf("legacy"), { announces }, true],
        ["with its URN as an alias", urnOf("main"), { announces: { ...announces, aliases: [urn] } }, true],
        ["with its id", urnOf("main"), { announces: { ...announces, id: "a" } }, true],
        [
            "with its id and its URN as an alias",
            urnOf("main"),
            { announces: { ...announces, id: "a", aliases: [urn] } },
            true,
        ],
        ["with another name", urnOf("main"), { announces }, false],
        ["of another type", nested, { announces: { type: "Vpc" } }, false],
        ["that was declared together with it", nested, { announces: { ...announces, id: "b" } }, false],
        ["that the engine has checked", nested, { announces, declared: { type: "Service", inputs: {} } }, false],
        ["under the same URN", urn, { announces }, false],
    ])("a resource %s may be its successor: %#", (_, announced, facts, isLeftOut) => {
        const registry = new Registry();
        registry.record(announced, facts);
        const found = registry.leftOutFor(old, keyOf.name(urn), keyOf.name(urnOf("legacy")));
        expect(found.map((one) => one.urn)).toEqual(isLeftOut ? [announced] : []);
    });

    it("there are none if the program declares the resource in the state, as in `destroy --run-program`", () => {
        const registry = new Registry();
        registry.record(nested, { announces });
        registry.record(urn, { announces: { ...announces, id: "a" } });
        expect(registry.leftOutFor(old, keyOf.name(urn))).toEqual([]);
    });
});

it("an announcement keeps the address at which another process manages the resource", () => {
    const facts = factsInMemory();
    const [other, program] = [facts(), facts()];
    const registry = new Registry(facts(), () => "one");
    other.publish({ urn: "orders", platform: "two", declared: { type: "Service", inputs: {} } });
    program.publish({ urn: "orders", announces: { type: "Service" } });
    expect(registry.fact("orders", "elsewhere")).toBe("two");
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
