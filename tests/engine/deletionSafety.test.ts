import type { CustomResourceOptions } from "@pulumi/pulumi";
import { readOptions } from "../../provider/api/client";
import { Service, Vpc, type ServiceArgs } from "../../sdk/nodejs";
import { failed, removeStacks, startStack, type TestStack } from "../support/engine";
import { clientOf } from "../support/existing";

// Pulumi must not delete a database that a resource still manages, and must delete a resource that the program removed.

const limitMs = 120_000;

afterAll(removeStacks);

const idsOf = ({ emulator }: TestStack) => emulator.snapshot().services.map(({ service_id: id }) => id);

test(
    "a database whose region is an output of its VPC is not deleted when the VPC must be deleted first",
    async () => {
        const stack = await startStack();
        const program = (cidr: string) => () => {
            const vpc = new Vpc("network", { cidr, regionCode: "us-east-1" }, { customTimeouts: { delete: "4s" } });
            new Service("orders", { regionCode: vpc.regionCode, vpcId: vpc.vpcId });
        };
        await stack.up(program("10.0.0.0/24"));
        const before = idsOf(stack);
        stack.calls();
        await failed(stack.up(program("10.0.0.0/16")));
        expect(idsOf(stack)).toEqual(before);
        expect(stack.calls()).not.toContain("deleteService");
    },
    limitMs,
);

test(
    "a database that a renamed resource has adopted is not deleted with the old resource",
    async () => {
        const stack = await startStack();
        await stack.up(() => {
            new Service("orders", { name: "orders" });
        });
        const [id = ""] = idsOf(stack);
        const { errors } = await failed(
            stack.up(() => {
                new Service("main", { name: "orders" });
            }),
        );
        expect(errors.join("\n")).toMatch(/alias.*existingId/);
        stack.calls();
        const taken = await stack.up(() => {
            new Service("main", { name: "orders", existingId: id });
        });
        expect(taken.messages.orders?.join("\n")).toContain(`service ${id} is not deleted: "main" manages it`);
        expect(taken.messages.main).toBeUndefined();
        expect(stack.calls()).toEqual([]);
        expect(idsOf(stack)).toEqual([id]);
        expect((await stack.state("main")).id).toBe(id);
        await stack.destroy();
        expect(idsOf(stack)).toEqual([]);
    },
    limitMs,
);

test(
    "a second resource for one database is rejected, and its removal keeps the database",
    async () => {
        const stack = await startStack();
        const orders = () => new Service("orders", { name: "orders" });
        await stack.up(() => void orders());
        const [id = ""] = idsOf(stack);
        const both = () => {
            const first = orders();
            new Service("copy", { existingId: id }, { dependsOn: first });
        };
        const { errors } = await failed(stack.up(both));
        expect(errors.join("\n")).toContain('"orders" of this program');
        await stack.up(() => void orders());
        expect(idsOf(stack)).toEqual([id]);
    },
    limitMs,
);

test(
    "a replacement does not adopt the resource that it replaces",
    async () => {
        const stack = await startStack();
        const { projectId } = stack.emulator;
        const client = clientOf(stack.emulator);
        const made = await client.call(
            "createService",
            { path: { project_id: projectId }, body: { name: "wild", addons: ["time-series"] } },
            readOptions,
        );
        const { service_id: existingId } = made;
        const program = (addons: ("time-series" | "ai")[]) => () => {
            new Service("orders", { existingId, addons, allowReplace: true });
        };
        await stack.up(program(["time-series"]));
        const { errors } = await failed(stack.up(program(["time-series", "ai"])));
        expect(errors.join("\n")).toContain(`existingId "${existingId}" names the service that this change replaces`);
        expect(idsOf(stack)).toEqual([existingId]);
    },
    limitMs,
);

describe("replacements by the engine without allowReplace", () => {
    let stack: TestStack;
    let old: string;

    const program =
        (args: ServiceArgs = {}, opts: CustomResourceOptions = {}) =>
        () => {
            new Service("orders", args, opts);
        };
    const replaceOrders = async () => ({ replace: [(await stack.state("orders")).urn] });

    beforeAll(async () => {
        stack = await startStack();
        const { projectId } = stack.emulator;
        const client = clientOf(stack.emulator);
        ({ service_id: old } = await client.call(
            "createService",
            { path: { project_id: projectId }, body: { name: "wild" } },
            readOptions,
        ));
        await stack.up(program({ existingId: old }));
        stack.calls();
    }, limitMs);

    test("a replacement by the engine without allowReplace fails before anything is created if the state is known", async () => {
        const deletedFirst = program({}, { deleteBeforeReplace: true });
        const replace = await replaceOrders();
        for (const run of [
            () => stack.preview(program(), { ...replace, refresh: true }),
            () => stack.up(deletedFirst, replace),
        ]) {
            const { errors } = await failed(run());
            expect(errors).toEqual([expect.stringContaining(`To keep it, set existingId: "${old}".`)]);
        }
        expect(stack.calls()).toEqual([]);
    });

    test("a replacement by the engine without allowReplace keeps the old database with its data, and explains how to choose between the two", async () => {
        const { errors } = await failed(stack.up(program(), await replaceOrders()));
        const made = (await stack.state("orders")).id;
        expect(made).not.toBe(old);
        expect(errors).toEqual([
            expect.stringContaining(`Service ${old} is not deleted: ${made} replaced it without allowReplace.`),
        ]);
        await failed(stack.up());
        expect(idsOf(stack)).toEqual([old, made]);

        await stack.up(program({ existingId: old, allowReplace: true }), await replaceOrders());
        expect(idsOf(stack)).toEqual([old]);
        expect(await stack.entries("orders")).toMatchObject([{ id: old }]);
    });

    test("the next up with allowReplace deletes the database that a replacement by the engine kept", async () => {
        await failed(stack.up(program(), await replaceOrders()));
        await stack.up(program({ allowReplace: true }));

        expect(idsOf(stack)).toEqual([(await stack.state("orders")).id]);
        expect(idsOf(stack)).not.toContain(old);
    });
});

test(
    "the database of a replacement that failed, was reverted and adopted again is not deleted",
    async () => {
        const stack = await startStack();
        const { emulator } = stack;
        const program = (args: ServiceArgs) => () => {
            new Service("orders", { name: "orders", allowReplace: true, ...args });
        };
        const failing = (operation: "enablePooler" | "setEnvironment") => {
            emulator.addFaults([{ operation, effect: { kind: "answer", status: 400 } }]);
        };
        const here: ServiceArgs = { regionCode: "us-east-1", connectionPooler: true };
        await stack.up(program(here));
        const [id = ""] = idsOf(stack);
        failing("enablePooler");
        await failed(stack.up(program({ ...here, regionCode: "eu-west-1" })));
        emulator.clearFaults();
        const { errors } = await failed(stack.up(program(here)));
        expect(errors.join("\n")).toContain(`existingId: "${id}"`);
        failing("setEnvironment");
        await failed(stack.up(program({ ...here, environment: "PROD", existingId: id })));
        expect((await stack.entries("orders")).filter((entry) => entry.id === id)).toHaveLength(2);
        emulator.clearFaults();
        const { messages } = await stack.up(program({ ...here, environment: "PROD" }));

        expect(messages.orders?.join("\n")).toContain(`service ${id} is not deleted: "orders" manages it`);
        expect(idsOf(stack)).toEqual([id]);
        expect(await stack.entries("orders")).toMatchObject([{ id }]);
    },
    limitMs,
);

test(
    "`up --refresh` removed an undeclared resource from the state without deleting it",
    async () => {
        const stack = await startStack();
        await stack.up(() => {
            new Vpc("network", { cidr: "10.0.0.0/24", regionCode: "us-east-1" });
        });
        await stack.up(() => undefined, { refresh: true });
        expect(stack.emulator.snapshot().vpcs).toEqual([]);
    },
    limitMs,
);
