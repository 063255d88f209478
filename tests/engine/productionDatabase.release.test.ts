import { ProductionDatabase, Vpc, type ProductionDatabaseArgs } from "../../sdk/nodejs";
import { protectedResources, startStack, typeToken } from "../support/engine";

// What only the engine shows: the parents, options and timeouts that it stores for the resources of the component.

const program = (changes: Pick<ProductionDatabaseArgs, "deletionProtection" | "replicaCount"> = {}) => {
    const network = new Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
    const args: ProductionDatabaseArgs = {
        regionCode: "us-east-1",
        cpuMillis: 1000,
        vpcId: network.vpcId,
        readReplicas: { reports: { cpuMillis: 500 }, search: { nodes: 2 } },
        ...changes,
    };
    const database = new ProductionDatabase("orders", args, { customTimeouts: { create: "30m" } });
    return { connectionString: database.connectionString, reports: database.readReplicas.reports?.host };
};

test("a production database has a protected service, and replica sets that are not protected, under the component", async () => {
    const stack = await startStack();
    await stack.setConfig("clouddb:deletionProtection", "true");
    await stack.up(() => program());
    expect(stack.calls().sort()).toEqual([
        "attachToVPC",
        "createReplicaSet",
        "createReplicaSet",
        "createService",
        "createVpc",
        "enablePooler",
    ]);

    const { outputs, urn } = await stack.state("orders-reports");
    expect(urn).toContain(`clouddb:index:ProductionDatabase$${typeToken("ReadReplicaSet")}`);
    expect(outputs).toMatchObject({ nodes: 1, cpuMillis: 500, memoryGbs: 2 });
    expect((await stack.state("orders-search")).outputs).toMatchObject({ nodes: 2, cpuMillis: 1000, memoryGbs: 4 });
    const [service] = stack.emulator.snapshot().services;
    expect(service).toMatchObject({
        ha_replicas: { replica_count: 1 },
        metadata: { environment: "PROD" },
        connection_pooler: { endpoint: {} },
    });
    const timed = (await stack.resources()).filter(({ customTimeouts }) => customTimeouts !== undefined);
    expect(timed.map(({ type, customTimeouts }) => [type.split(":").at(-1), customTimeouts?.create])).toEqual([
        ["ProductionDatabase", 1800],
        ["Service", 1800],
        ["ReadReplicaSet", 1800],
        ["ReadReplicaSet", 1800],
    ]);
    expect((await stack.outputs()).connectionString).toMatch(/^postgres:\/\/tsdbadmin:/);

    await stack.up();
    expect(stack.calls()).toEqual([]);

    expect(await protectedResources(stack)).toEqual(["orders"]);

    // An undefined argument has the same effect as an omitted one.
    await stack.up(() => program({ deletionProtection: false, replicaCount: undefined as never }));
    expect(stack.emulator.snapshot().services[0]?.ha_replicas?.replica_count).toBe(1);
    await stack.destroy();
    expect(stack.emulator.snapshot()).toMatchObject({ services: [], vpcs: [] });
});
