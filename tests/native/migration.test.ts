import { version } from "../../provider/api/version.gen";
import type { ResourceType } from "../../provider/resources";
import * as dynamic from "../../sdk/nodejs/index";
import * as native from "../../sdk/nodejs/native";
import { untypedKinds } from "../support/cases";
import { declareAll } from "../support/cases/program";
import { startStack, type TestStack } from "../support/engine";

type Package = Pick<typeof dynamic, ResourceType | "ProductionDatabase">;

/** A program with every resource kind: only the import differs between the hosts. */
const program = (clouddb: Package) => () => {
    const declared = declareAll(clouddb);
    new clouddb.ProductionDatabase("shop", { cpuMillis: 500, readReplicas: { copy: { nodes: 1 } } });
    const { host, connectionString } = declared.Service;
    return { host, url: connectionString };
};

const names = [...Object.values(untypedKinds).map(({ name }) => name), "shop", "shop-copy"];
const all = (op: string) => Object.fromEntries(names.map((name) => [name, op]));

describe("a stack with every resource kind moves to the other host", () => {
    let stack: TestStack;

    beforeAll(async () => {
        stack = await startStack();
    });

    /** Both hosts give a service the same name, so that a run also finds a service that the other host created. */
    const namesInApi = () => stack.emulator.snapshot().services.map(({ name }) => name);
    let created: string[];
    let outputs: Record<string, unknown>;

    test("the dynamic host creates a stack with every resource kind", async () => {
        const { operations } = await stack.up(program(dynamic));
        expect(operations).toEqual(all("create"));
        created = namesInApi();
        outputs = await stack.outputs();
        stack.calls();
    });

    test.each([
        ["from the dynamic to the native host", native],
        ["back to the dynamic host", dynamic],
    ])("a stack moves %s without a change and without a request", async (_, clouddb) => {
        stack.emulator.clearJournal();
        const preview = await stack.preview(program(clouddb));
        const { operations } = await stack.up(program(clouddb));

        expect(preview.operations).toEqual(all("same"));
        expect(operations).toEqual(all("same"));
        expect(stack.emulator.journal()).toEqual([]);
        expect(await stack.outputs()).toEqual(outputs);
    });

    test("a refresh with either host changes nothing", async () => {
        const refreshed = await stack.refresh();
        expect(refreshed.operations).toEqual(all("same"));
        await stack.up(program(native));
        const again = await stack.refresh();
        expect(again.operations).toEqual(all("same"));
        expect(stack.calls()).toEqual([]);
        expect(namesInApi()).toEqual(created);
    });

    test("the dynamic host updates and deletes resources that the native host managed", async () => {
        const { operations } = await stack.up(() => {
            new dynamic.Service("orders", { cpuMillis: 2000, memoryGbs: 8, password: "a-secret-password" });
        });
        expect(operations).toMatchObject({ orders: "update", network: "delete" });
        expect(stack.calls()).toContain("resizeService");
        await stack.destroy();
        expect(stack.emulator.snapshot()).toMatchObject({ vpcs: [], services: [] });
    });
});

test("a program can use both hosts at the same time, and the version option", async () => {
    const stack = await startStack();
    const program = () => {
        const network = new native.Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" }, { version });
        new dynamic.Service("orders", { vpcId: network.vpcId });
    };
    expect((await stack.up(program)).operations).toEqual({ network: "create", orders: "create" });
    expect((await stack.up(program, { expectNoChanges: true })).operations).toEqual({
        network: "same",
        orders: "same",
    });
});
