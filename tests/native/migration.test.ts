import { version } from "../../provider/api/version.gen";
import type { ResourceType } from "../../provider/resources";
import * as dynamic from "../../sdk/nodejs/index";
import * as native from "../../sdk/nodejs/native";
import { untypedKinds } from "../support/cases";
import { declareAll } from "../support/cases/program";
import { failed, startStack, type TestStack } from "../support/engine";

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

test("the dynamic host keeps and refreshes resources that the native host created", async () => {
    const stack = await startStack();
    const one = (clouddb: Package) => () => {
        new clouddb.Service("orders", { password: "a-secret-password" });
    };
    await stack.up(one(native));
    stack.calls();
    expect((await stack.up(one(dynamic))).operations).toEqual({ orders: "same" });
    expect((await stack.refresh()).operations).toEqual({ orders: "same" });
    expect(stack.calls()).toEqual([]);
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

const pairs: readonly (readonly [string, string, Package, Package])[] = [
    ["native", "dynamic", native, dynamic],
    ["dynamic", "native", dynamic, native],
];

/** A stack in which one host manages `orders`, which is tainted. */
async function startTainted(owner: Package) {
    const stack = await startStack();
    await stack.up(() => {
        new owner.Service("orders", { name: "orders" });
    });
    const { id, urn } = await stack.state("orders");
    await stack.pulumi("state", "taint", urn, "--yes");
    stack.calls();
    return { stack, id, urn };
}

test.each(pairs)(
    "an existingId of a tainted service that moves to the %s host is an error: the %s host would delete what the other one adopts",
    async (_, __, adopter, owner) => {
        const { stack, id: existingId, urn } = await startTainted(owner);
        const moved = () => {
            new adopter.Service("orders", { name: "orders", existingId, deletionProtection: true });
        };
        const refusal = `existingId "${existingId}" cannot be adopted: this run replaces and deletes it`;
        expect((await failed(stack.preview(moved))).errors.join()).toContain(refusal);
        expect((await failed(stack.up(moved))).errors.join()).toContain(refusal);
        expect(stack.calls()).toEqual([]);
        await stack.pulumi("state", "untaint", urn, "--yes");
        expect((await stack.up(moved)).operations).toEqual({ orders: "update" });
        expect((await stack.state("orders")).id).toBe(existingId);
    },
);

test.each(pairs)(
    "a tainted service that moves to the %s host is kept if the program protects it now, although the %s host sees no program",
    async (_, __, mover, owner) => {
        const { stack, id, urn } = await startTainted(owner);
        const moved = (deletionProtection: boolean) => () => {
            new mover.Service("orders", { name: "orders", deletionProtection }, { deleteBeforeReplace: true });
        };
        const refusal = 'Service "orders" is protected, and this run would replace it';
        expect((await failed(stack.preview(moved(true)))).errors.join()).toContain(refusal);
        expect((await failed(stack.up(moved(true)))).errors.join()).toContain(refusal);
        expect(stack.calls()).toEqual([]);
        expect((await stack.preview(moved(false))).messages.orders?.join("\n")).toContain(
            "the old service is deleted, and its data will be lost",
        );
        await stack.pulumi("state", "untaint", urn, "--yes");
        await stack.up(moved(true));
        expect((await stack.state("orders")).id).toBe(id);
    },
);

test.each(pairs)(
    "an existingId of the %s host that an entry of the %s host has is an error that names the alias",
    async (_, __, adopter, owner) => {
        const stack = await startStack();
        await stack.up(() => {
            new owner.Service("orders", { name: "orders" });
        });
        const { id: existingId, urn } = await stack.state("orders");
        stack.calls();
        const adopting =
            (opts = {}) =>
            () => {
                new owner.Service("orders", { name: "orders" });
                new adopter.Service("main", { name: "orders", existingId, deletionProtection: true }, opts);
            };
        expect((await failed(stack.up(adopting(), { continueOnError: true }))).errors.join()).toContain(
            `existingId "${existingId}" is the id of "orders", which this stack already manages.\n` +
                `Rename or move it: remove existingId, and set its option aliases: ['${urn}']`,
        );
        expect(stack.calls()).toEqual([]);
        await stack.up(() => {
            new adopter.Service("main", { name: "orders" }, { aliases: [urn] });
        });
        expect((await stack.state("main")).id).toBe(existingId);
        expect(await stack.entries("orders")).toEqual([]);
    },
);
