import type { CustomResourceOptions } from "@pulumi/pulumi";
import { ReadReplicaSet, Service, Vpc, type ServiceArgs } from "../../sdk/nodejs";
import { failed, startStack, type TestStack } from "../support/engine";

// What only the engine shows: the order in which it replaces a resource, its dependents and the one that it uses.

const database = (args: ServiceArgs & { fork?: undefined }) => () => {
    const { serviceId } = new Service("orders", { name: "orders", regionCode: "us-east-1", ...args });
    new ReadReplicaSet("reports", { name: "reports", serviceId, nodes: 1, cpuMillis: 500, memoryGbs: 2 });
    return { serviceId };
};

test("a service without deletionProtection is replaced with its replica set, and the preview says what happens to the data", async () => {
    const stack = await startStack();
    await stack.up(database({}));
    const [first] = stack.emulator.snapshot().services;
    const id = first?.service_id ?? "";
    const { operations, messages } = await stack.preview(database({ regionCode: "eu-west-1" }));
    expect(operations).toMatchObject({ orders: "replace", reports: "replace" });
    expect(messages.orders).toEqual([
        `is replaced (regionCode "us-east-1" -> "eu-west-1"): the old service ${id} is deleted, and its data will be lost`,
        '1 create service "orders": DEV, in "eu-west-1"',
        "the new service is not protected: a later run can delete it",
    ]);
    await stack.up(database({ regionCode: "eu-west-1" }));

    const { services } = stack.emulator.snapshot();
    const [replaced, ...others] = services.filter(({ name }) => name === "orders");
    expect(replaced).toMatchObject({
        region_code: "eu-west-1",
        read_replica_sets: [{ name: "reports", status: "active" }],
    });
    expect(others).toEqual([]);
    expect(replaced?.service_id).not.toBe(id);
    expect((await stack.up()).operations).toEqual({ orders: "same", reports: "same" });
});

test("--replace of a named VPC fails before anything happens, works with deleteBeforeReplace, and needs no provider of Pulumi in the stack", async () => {
    const stack = await startStack();
    const program = (opts: CustomResourceOptions) => () => {
        new Vpc("network", { name: "network", cidr: "10.0.0.0/24", regionCode: "us-east-1" }, opts);
    };
    await stack.up(program({}));
    const { urn } = await stack.state("network");
    stack.calls();
    const { errors } = await failed(stack.up(program({}), { replace: [urn] }));
    expect(errors.join("\n")).toMatch(/VPC "network" already exists: [^]* docs\/protection.md/);
    expect(stack.calls()).toEqual([]);

    const { operations } = await stack.up(program({ deleteBeforeReplace: true }), { replace: [urn] });
    expect(operations).toEqual({ network: "replace" });
    expect(stack.calls()).toEqual(["deleteVpc", "createVpc"]);
    expect(await stack.exported()).not.toContain("pulumi:providers:pulumi::");
});

describe("the replacement of a VPC with a service", () => {
    let stack: TestStack;

    const program =
        (cidr: string, isAttached = true) =>
        () => {
            const { vpcId } = new Vpc("network", { name: "network", cidr, regionCode: "us-east-1" });
            new Service("orders", { name: "orders", regionCode: "us-east-1", ...(isAttached ? { vpcId } : {}) });
        };

    beforeAll(async () => {
        stack = await startStack();
        await stack.up(program("10.0.0.0/24"));
        stack.calls();
    });

    test("a service moves to the replacement of its VPC before the old VPC is deleted", async () => {
        const [vpc] = stack.emulator.snapshot().vpcs;
        const { messages } = await stack.preview(program("10.0.1.0/24"));
        expect(messages.network?.[0]).toBe(
            `is replaced (cidr "10.0.0.0/24" -> "10.0.1.0/24"): the old VPC ${vpc?.id ?? ""} is deleted`,
        );
        const { operations } = await stack.up();

        expect(operations).toEqual({ network: "replace", orders: "update" });
        expect(stack.calls()).toEqual(["createVpc", "detachFromVPC", "attachToVPC", "deleteVpc"]);
        const { vpcs, services } = stack.emulator.snapshot();
        expect(vpcs).toMatchObject([{ cidr: "10.0.1.0/24" }]);
        expect(services).toMatchObject([{ vpc_endpoint: { vpc_id: vpcs[0]?.id } }]);
    });

    test("a VPC with a service whose replacement overlaps it is replaced in the two runs that the refusal names", async () => {
        const { services } = stack.emulator.snapshot();
        const orders = services[0]?.service_id ?? "";
        const wide = "10.0.0.0/16";
        const refusal = await failed(stack.preview(program(wide)));
        expect(refusal.errors.join("\n")).toContain(`(${orders}) uses vpcId "`);
        expect(refusal.errors.join("\n")).toContain(
            "Make this change in two runs.\n1: undo it, remove vpcId from the service and run `pulumi up`\n" +
                "2: make it again, set vpcId again and run `pulumi up`",
        );
        expect(stack.calls()).toEqual([]);

        await stack.up(program("10.0.1.0/24", false));
        expect(stack.calls()).toEqual(["detachFromVPC"]);
        await stack.up(program(wide));
        expect(stack.calls()).toEqual(["deleteVpc", "createVpc", "attachToVPC"]);
        const { vpcs } = stack.emulator.snapshot();
        expect(vpcs).toMatchObject([{ cidr: wide }]);
        expect(stack.emulator.snapshot().services).toMatchObject([
            { service_id: orders, vpc_endpoint: { vpc_id: vpcs[0]?.id } },
        ]);
    });
});
