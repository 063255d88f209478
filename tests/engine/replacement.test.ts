import type { CustomResourceOptions } from "@pulumi/pulumi";
import { ReadReplicaSet, Service, Vpc, type ServiceArgs } from "../../sdk/nodejs";
import { failed, startStack, type TestStack } from "../support/engine";

// What only the engine shows: the order in which it replaces a resource, its dependents and the one that it uses.

const database = (args: ServiceArgs & { fork?: undefined }) => () => {
    const { serviceId } = new Service("orders", { name: "orders", regionCode: "us-east-1", ...args });
    new ReadReplicaSet("reports", { name: "reports", serviceId, nodes: 1, cpuMillis: 500, memoryGbs: 2 });
    return { serviceId };
};

const withCopy = (args: ServiceArgs & { fork?: undefined }) => () => {
    const { serviceId } = database(args)();
    new Service("copy", { name: "copy", fork: { serviceId, strategy: "NOW" } });
};

test("a service without deletionProtection is replaced with its replica set, but not with its fork, and the preview says what happens to the data", async () => {
    const stack = await startStack();
    await stack.up(withCopy({}));
    const [first] = stack.emulator.snapshot().services;
    const id = first?.service_id ?? "";
    // It would be a copy of a service without data.
    const refused = await failed(stack.preview(withCopy({ regionCode: "eu-west-1" })));
    expect(refused.errors.join()).toContain(`set fork.serviceId of "copy" to "${id}", not to an output`);
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

test("the fork of a replaced service is refused in each run of the same program, and then has the data, as the message says", async () => {
    const stack = await startStack();
    const program = (regionCode: string, source?: string) => (): void => {
        const { serviceId } = new Service("orders", { regionCode });
        if (regionCode !== "us-east-1") {
            new Service("backup", { fork: { serviceId: source ?? serviceId, strategy: "NOW" } });
        }
    };
    await stack.up(program("us-east-1"));
    const { id: old } = await stack.state("orders");
    const moved = program("eu-west-1");
    for (const run of [
        () => stack.preview(moved),
        () => stack.up(moved),
        () => stack.preview(moved),
        () => stack.up(moved),
        () => stack.up(moved),
    ]) {
        const { errors } = await failed(run());
        expect(errors).toEqual([
            expect.stringMatching(
                `"backup" (may|would) copy "orders".*, without its data\\.\nCopy the data first: set fork.serviceId of "backup" to "${old}", not to an output; then`,
            ),
        ]);
    }
    const { id: empty } = await stack.state("orders");
    expect(stack.emulator.snapshot().services.map(({ service_id: id }) => id)).toEqual([old, empty]);
    await stack.up(program("eu-west-1", old));
    const { services } = stack.emulator.snapshot();
    expect(services).toMatchObject([{ service_id: empty }, { forked_from: { service_id: old } }]);
    await stack.up(undefined, { expectNoChanges: true });
});

test("the fork of a service that is deleted before it is replaced is refused in the preview, and a run without one warns that it has none of the data", async () => {
    const stack = await startStack();
    const program = (regionCode: string) => (): void => {
        const { serviceId } = new Service("orders", { regionCode }, { deleteBeforeReplace: true });
        if (regionCode !== "us-east-1") {
            new Service("backup", { fork: { serviceId, strategy: "NOW" } });
        }
    };
    await stack.up(program("us-east-1"));
    const { id: old } = await stack.state("orders");
    const { errors } = await failed(stack.preview(program("eu-west-1")));
    expect(errors.join()).toContain('"backup" may copy "orders", which this run replaces, without its data.');
    const { output } = await stack.up();
    const { id: empty } = await stack.state("orders");
    expect(output).toContain(
        `it copies "orders" (${empty}), which took the place of service ${old}: the data of that one is gone, and not in this copy`,
    );
    expect(stack.emulator.snapshot().services).toMatchObject([
        { service_id: empty },
        { forked_from: { service_id: empty } },
    ]);
    await stack.up(undefined, { expectNoChanges: true });
});

test("--replace of a named VPC names deleteBeforeReplace, works with it, and needs no provider of Pulumi in the stack", async () => {
    const stack = await startStack();
    const program = (opts: CustomResourceOptions) => () => {
        new Vpc("network", { name: "network", cidr: "10.0.0.0/24", regionCode: "us-east-1" }, opts);
    };
    await stack.up(program({}));
    const { urn } = await stack.state("network");
    stack.calls();
    const { errors } = await failed(stack.up(program({}), { replace: [urn] }));
    expect(errors.join("\n")).toMatch(/VPC "network" already exists: [^]* set its option deleteBeforeReplace: true/);
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
