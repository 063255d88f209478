import * as pulumi from "@pulumi/pulumi";
import { functions } from "../../../provider/functions";
import { resources, type ResourceType } from "../../../provider/resources";
import * as clouddb from "../../../sdk/nodejs";
import * as native from "../../../sdk/nodejs/native";
import { mockEngine, valueIn } from "../../support/mocks";

beforeEach(() => mockEngine());

test("a project named clouddb can have its own settings", async () => {
    pulumi.runtime.setAllConfig({ "clouddb:region": "us-east-1" });
    const create = () => new clouddb.Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
    expect(create).toThrow("clouddb:region");
    await mockEngine({ project: "clouddb" });
    expect(create).not.toThrow();
    pulumi.runtime.setAllConfig({});
});

describe("under mocks", () => {
    const sizes = { cpuMillis: 500, memoryGbs: 2 };
    const opts = { customTimeouts: { create: "1h" } };

    test.each([false, true])("newResource receives the inputs of the program only; preview: %s", async (preview) => {
        const seen: Record<string, unknown> = {};
        await mockEngine({ stateOf: (name, inputs) => (seen[name] = inputs), preview });
        const database = new clouddb.ProductionDatabase("main", { ...sizes, readReplicas: { reports: {} } }, opts);
        await Promise.all(Object.values(database.readReplicas).map(({ urn }) => valueIn(urn)));
        const orders = new clouddb.Service("orders", sizes, opts);
        await valueIn(orders.urn);

        expect(seen.orders).toEqual(sizes);
        expect(Object.values(seen).flatMap((inputs) => Object.keys(inputs as object))).not.toContainEqual(
            expect.stringMatching(/^__/),
        );
    });

    test("a replica set without a value for the CPU has the size of the service", async () => {
        const seen: Record<string, unknown> = {};
        await mockEngine({ stateOf: (name, inputs) => (seen[name] = inputs) });
        const replicas = { reports: { cpuMillis: undefined, nodes: 2 }, large: { cpuMillis: 1000 } } as never;
        const database = new clouddb.ProductionDatabase("main", { ...sizes, readReplicas: replicas });
        await Promise.all(Object.values(database.readReplicas).map(({ urn }) => valueIn(urn)));
        expect(seen).toMatchObject({ "main-reports": { ...sizes, nodes: 2 }, "main-large": { cpuMillis: 1000 } });
        expect(seen["main-large"]).not.toHaveProperty("memoryGbs");
    });

    test("a test with another copy of Pulumi's SDK than the package, as a linked one has, is recognized", async () => {
        let seen: object | undefined;
        await mockEngine({ stateOf: (_, inputs) => (seen = inputs), call: () => [{ name: "other" }] });
        let copy: typeof clouddb | undefined;
        jest.isolateModules(() => {
            copy = jest.requireActual<typeof clouddb>("../../../sdk/nodejs");
        });
        if (copy === undefined) {
            throw new Error("There is no copy.");
        }
        expect(copy.Service).not.toBe(clouddb.Service);
        await valueIn(new copy.Service("orders", sizes).urn);
        expect(seen).toEqual(sizes);
        expect(await copy.getServices()).toEqual([{ name: "other" }]);
    });

    test("the mock of call receives the token and the arguments of each function", async () => {
        const calls: pulumi.runtime.MockCallArgs[] = [];
        const call = (args: pulumi.runtime.MockCallArgs) => {
            calls.push(args);
            const one = { name: args.token };
            return args.token.endsWith("s") ? [one] : one;
        };
        await mockEngine({ call });
        const serviceId = "abcdefghij";
        for (const name of Object.keys(functions) as "getServices"[]) {
            const one = { name: `clouddb:index:${name}` };
            const result = await clouddb[name]({ vpcId: "1", peeringId: "2", serviceId } as object);
            expect(result).toEqual(name.endsWith("s") ? [one] : one);
        }
        expect(await valueIn(clouddb.getServiceOutput({ serviceId: pulumi.output(serviceId) }).name)).toBe(
            "clouddb:index:getService",
        );
        const search = ["deadlock", "orders"];
        expect(await clouddb.getServiceLogs({ serviceId, search, limit: 0 })).toHaveLength(1);
        expect(calls.at(-1)).toMatchObject({
            token: "clouddb:index:getServiceLogs",
            inputs: { serviceId, search },
        });
        await mockEngine();
        expect(await clouddb.getServices()).toEqual([]);
    });
});

test.each([clouddb, native])("the usage and the type of the volume are those of the mock", async (module) => {
    const shown = { usage: { storageMb: 70 }, volumeType: "gp3" };
    await mockEngine({ call: ({ token }) => (token.endsWith("s") ? [shown] : shown) });
    await expect(module.getService({ serviceId: "abcdefghij" })).resolves.toEqual(shown);
    await expect(module.getServices()).resolves.toEqual([shown]);
    const { usage } = module.getServiceOutput({ serviceId: "abcdefghij" });
    expect(await valueIn(usage.apply((one) => one?.storageMb))).toBe(70);
});

test("the connection string of a service is that of its state, which a mock can set", async () => {
    await mockEngine({ stateOf: () => ({ host: "h", port: 1, connectionString: "postgres://of-the-state" }) });
    expect(await valueIn(new clouddb.Service("orders").connectionString)).toBe("postgres://of-the-state");
});

test("connection strings contain the current password, or none if it is unknown", async () => {
    const endpoints = { host: "h", port: 1, poolerHost: "p", poolerPort: 2, vpcHost: "v", vpcPort: 3 };
    const initialOf = (name: string) => name === "initial" && { initialPassword: "in:itial" };
    await mockEngine({ stateOf: (name, inputs) => ({ ...endpoints, ...inputs, ...initialOf(name) }) });
    const urlsOf = async (service: clouddb.Service) => {
        const urls = [service.poolerConnectionString, service.vpcConnectionString];
        for (const url of urls) {
            expect(await pulumi.isSecret(url)).toBe(true);
        }
        return Promise.all(urls.map(valueIn));
    };

    expect(await urlsOf(new clouddb.Service("declared", { password: "declared1" }))).toEqual([
        "postgres://tsdbadmin:declared1@p:2/tsdb?sslmode=require",
        "postgres://tsdbadmin:declared1@v:3/tsdb?sslmode=require",
    ]);
    const initial = new clouddb.Service("initial");
    expect((await urlsOf(initial))[0]).toBe("postgres://tsdbadmin:in%3Aitial@p:2/tsdb?sslmode=require");
    expect((await urlsOf(new clouddb.Service("adopted")))[0]).toBe("postgres://tsdbadmin@p:2/tsdb?sslmode=require");

    const inputs = { serviceId: initial.serviceId, cpuMillis: 500 };
    const reports = new clouddb.ReadReplicaSet("reports", { ...inputs, password: initial.currentPassword });
    expect(await valueIn(reports.connectionString)).toBe("postgres://tsdbadmin:in%3Aitial@h:1/tsdb?sslmode=require");
    expect(await pulumi.isSecret(reports.connectionString)).toBe(true);
    const unknown = new clouddb.ReadReplicaSet("others", inputs);
    expect(await valueIn(unknown.poolerConnectionString)).toBe("postgres://tsdbadmin@p:2/tsdb?sslmode=require");
});

test("the current password is known in a preview that knows the declared password only", async () => {
    await mockEngine({ preview: true });
    const { currentPassword } = new clouddb.Service("orders", { password: "declared1" });
    expect(await (currentPassword as unknown as { isKnown: Promise<boolean> }).isKnown).toBe(true);
    expect(await valueIn(currentPassword)).toBe("declared1");
    expect(await pulumi.isSecret(currentPassword)).toBe(true);
});

test.each(Object.keys(resources) as ResourceType[])(
    "an exported %s has all its outputs, as in other languages",
    (type) => {
        const resource = new (clouddb[type] as new (name: string, args: object) => object)("it", {});
        const missing = Object.keys(resources[type].outputs).filter((name) => !Object.keys(resource).includes(name));
        expect(missing).toEqual([]);
    },
);

test("an output that is null in the state is undefined in the program", async () => {
    await mockEngine({ stateOf: () => ({ host: null, vpcId: null }) });
    const service = new clouddb.Service("queued");
    expect(await valueIn(service.host)).toBeUndefined();
    expect(await valueIn(service.vpcId)).toBeUndefined();
});

test("a class that extends a resource can replace an output", async () => {
    class Renamed extends clouddb.Service {
        override readonly host = pulumi.output("orders.internal");
    }
    expect(await valueIn(new Renamed("orders").host)).toBe("orders.internal");
});

test("vpcId, peeringId and replicaSetId are the last part of the Pulumi id", async () => {
    const vpc = new clouddb.Vpc("41", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
    const peering = clouddb.Peering.get("41/7", "41/7");
    const replicas = clouddb.ReadReplicaSet.get("wn3nlzt505/p85sp73dam", "wn3nlzt505/p85sp73dam");
    const ids = [vpc.vpcId, peering.peeringId, replicas.replicaSetId];
    expect(await Promise.all(ids.map(valueIn))).toEqual(["41", "7", "p85sp73dam"]);
});

test("the import option fails with an error that names existingId", () => {
    expect(() => new clouddb.Service("orders", {}, { import: "abcdefghij" })).toThrow("abcdefghij");
});

test("replaceOnChanges: an error that names --replace, because dynamic providers do not support the option", () => {
    expect(() => new clouddb.Service("orders", {}, { replaceOnChanges: ["name"] })).toThrow("--replace");
    expect(() => new clouddb.Service("orders", {}, { replaceOnChanges: [] })).not.toThrow();
});
