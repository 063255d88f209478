import { ProductionDatabase, type ProductionDatabaseArgs } from "../../sdk/nodejs";
import { protectedResources, startStack, typeToken } from "../support/engine";

// What only the engine shows: the state and the options of the component's resources. tests/native/component.test.ts has parents,
// timeouts and connection strings.

const program = (changes: Pick<ProductionDatabaseArgs, "deletionProtection" | "replicaCount"> = {}) => {
    const readReplicas = { reports: { cpuMillis: 500 }, search: { nodes: 2 } };
    new ProductionDatabase("orders", { cpuMillis: 1000, readReplicas, ...changes });
};

test("a production database has a protected service with a standby, and replica sets of its size that are not protected", async () => {
    const stack = await startStack();
    await stack.setConfig("clouddb:deletionProtection", "true");
    await stack.up(() => program());
    // The component has the same name.
    const service = async () => (await stack.entries("orders")).find(({ type }) => type === typeToken("Service"));
    expect((await stack.state("orders-reports")).outputs).toMatchObject({ nodes: 1, cpuMillis: 500, memoryGbs: 2 });
    expect((await stack.state("orders-search")).outputs).toMatchObject({ nodes: 2, cpuMillis: 1000, memoryGbs: 4 });
    const defaults = { replicaCount: 1, environment: "PROD", connectionPooler: true };
    expect((await service())?.outputs).toMatchObject({ ...defaults, cpuMillis: 1000, memoryGbs: 4 });
    expect(await protectedResources(stack)).toEqual(["orders"]);

    // An undefined argument has the same effect as an omitted one.
    await stack.up(() => program({ deletionProtection: false, replicaCount: undefined as never }));
    expect((await service())?.outputs).toMatchObject(defaults);
    await stack.destroy();
    expect(stack.emulator.snapshot().services).toEqual([]);
});
