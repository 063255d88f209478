import * as pulumi from "@pulumi/pulumi";
import { signatureKey } from "../../provider/hosts/codec";
import { ProductionDatabase, Vpc } from "../../sdk/nodejs/native";
import { protectedResources, startStack, typeToken } from "../support/engine";
import type { TestStack } from "../support/engine";
import { RemoteDatabase } from "../support/remoteDatabase";

type Database = typeof RemoteDatabase | typeof ProductionDatabase;

/** A program in which only the class of the component differs. */
const program = (Class: Database) => () => {
    const network = new Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
    const database = new Class(
        "orders",
        {
            regionCode: "us-east-1",
            cpuMillis: 1000,
            vpcId: network.vpcId,
            // The same as without it.
            replicaCount: undefined as never,
            readReplicas: {
                reports: { cpuMillis: pulumi.secret(500), deletionProtection: true },
                search: { nodes: network.vpcId.apply(() => 2) },
            },
        },
        {
            customTimeouts: { create: "30m", delete: "45m" },
            dependsOn: network,
            deletedWith: network,
            ignoreChanges: ["password"],
            replaceOnChanges: ["projectId"],
            additionalSecretOutputs: ["service"],
            replacementTrigger: 1,
        } as pulumi.ComponentResourceOptions,
    );
    const { connectionString, poolerConnectionString, vpcConnectionString } = database;
    return { connectionString, poolerConnectionString, vpcConnectionString };
};

/** What differs in each run: encrypted values, times, places in the program, and what the class reads from the state. */
const changing = ["ciphertext", "created", "modified", "sourcePosition", "stackTrace", "__program"];

/** What the state says about each resource. */
async function recorded(stack: TestStack): Promise<object> {
    const found = (await stack.resources())
        .filter(({ type }) => !type.startsWith("pulumi:"))
        .map((resource) => [resource.urn, resource]);
    const visible = (name: string, value: unknown) => {
        // The order of dependencies is that in which the values became known.
        const isSorted = name === "dependencies" && Array.isArray(value);
        return changing.includes(name) ? undefined : isSorted ? [...(value as unknown[])].sort() : value;
    };
    return JSON.parse(JSON.stringify(Object.fromEntries(found), visible)) as object;
}

describe("a stack with a production database", () => {
    let stack: TestStack;
    const all = (op: string) =>
        Object.fromEntries(["network", "orders", "orders-reports", "orders-search"].map((name) => [name, op]));
    let before: Awaited<ReturnType<typeof recorded>>;
    let outputs: Record<string, unknown>;

    beforeAll(async () => {
        stack = await startStack();
        await stack.setConfig("clouddb:deletionProtection", "true");
    });

    test("the plugin creates the resources of the component", async () => {
        const preview = await stack.preview(program(RemoteDatabase));
        expect(preview.operations).toEqual(all("create"));
        const { operations, errors } = await stack.up(program(RemoteDatabase));
        expect([operations, errors]).toEqual([all("create"), []]);
        before = await recorded(stack);
        outputs = await stack.outputs();
        expect(Object.values(outputs).filter((url) => !/^postgres:\/\/tsdbadmin:.+@/.test(String(url)))).toEqual([]);
        expect(await protectedResources(stack)).toEqual(["orders", "orders-reports"]);
        const service = (await stack.entries("orders")).find(({ type }) => type === typeToken("Service"));
        const defaults = { replicaCount: 1, environment: "PROD", connectionPooler: true };
        expect(service?.outputs).toMatchObject({ ...defaults, cpuMillis: 1000, memoryGbs: 4 });
        expect((await stack.state("orders-search")).outputs).toMatchObject({ nodes: 2, cpuMillis: 1000, memoryGbs: 4 });
        expect((await stack.state("orders-reports")).outputs).toMatchObject({ nodes: 1, memoryGbs: 2 });
        stack.calls();
    });

    test.each<[string, Database]>([
        ["stays with the plugin", RemoteDatabase],
        ["moves to the class in TypeScript", ProductionDatabase],
        ["moves back to the plugin", RemoteDatabase],
    ])("a stack that %s has no change and sends no request", async (_, Class) => {
        stack.emulator.clearJournal();
        expect((await stack.preview(program(Class))).operations).toEqual(all("same"));
        expect((await stack.up(program(Class))).operations).toEqual(all("same"));
        expect(stack.emulator.journal()).toEqual([]);
        expect(await recorded(stack)).toEqual(before);
        expect(await stack.outputs()).toEqual(outputs);
    });
});

test("inputs of the component that the program marks as secret are encrypted in its resources", async () => {
    const stack = await startStack();
    const { projectId } = stack.emulator;
    const args = { name: "canary-orders", sslRootCert: "/certs/canary.crt", password: "canary-password", projectId };
    const set = { name: "canary-reports", nodes: 2, sslRootCert: "/certs/canary-set.crt", cpuMillis: 500 };
    const secrets = (values: object) =>
        Object.fromEntries(Object.entries(values).map(([name, value]) => [name, pulumi.secret(value as unknown)]));
    const program = () => {
        new RemoteDatabase("orders", {
            cpuMillis: 1000,
            ...secrets(args),
            readReplicas: { reports: secrets(set) },
        });
    };
    await stack.preview(program);
    await stack.up();
    await stack.refresh();
    expect((await stack.up()).operations).toEqual({ orders: "same", "orders-reports": "same" });
    for (const [resource, declared] of Object.entries({
        "Service::orders": args,
        "ReadReplicaSet::orders-reports": set,
    })) {
        const [found] = (await stack.resources()).filter(({ urn }) => urn.endsWith(resource));
        const marks = Object.keys(declared).flatMap((name) => [found?.inputs[name], found?.outputs[name]]);
        expect(marks.map((value) => signatureKey in (value as object))).toEqual(marks.map(() => true));
    }
    const kept = [await stack.exported(), ...stack.files()].join();
    expect(kept).not.toContain("canary");
    expect(stack.printed()).not.toContain(args.password);
});
