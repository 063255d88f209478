import type { CustomResourceOptions } from "@pulumi/pulumi";
import { Peering, PeeringActivation, ReadReplicaSet, Service, Vpc, type ServiceArgs } from "../../sdk/nodejs";
import { failed, startStack, type TestStack } from "../support/engine";

// What only the engine shows: the order in which it replaces a resource, its dependents and the one that it uses.

const database = (args: ServiceArgs) => () => {
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
    // What is lost, the creation, and that the new one is not protected.
    expect(messages.orders).toEqual([
        expect.stringContaining(id),
        expect.stringMatching(/^1 create/),
        expect.not.stringMatching(/^\d/),
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
    expect(errors.join("\n")).toContain("/docs/protection.md");
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
        const { operations } = await stack.up(program("10.0.1.0/24"));

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
        const { errors } = await failed(stack.preview(program(wide)));
        expect(errors.join("\n")).toContain(`(${orders})`);
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

describe("a replacement that deletes first deletes nothing that it cannot replace", () => {
    const [own, other, missing] = ["emulator01", "project002", "projectttt"];
    const unchanged = { network: "same", office: "same", active: "same" };

    const program =
        (cidr: string, isAttached = false, opts: CustomResourceOptions = {}) =>
        () => {
            const { vpcId } = new Vpc("network", { name: "network", cidr, regionCode: "us-east-1" }, opts);
            const peer = { peerAccountId: "123456789012", peerRegionCode: "us-east-1", peerVpcId: "vpc-1" };
            const { peeringId } = new Peering("office", { vpcId, ...peer });
            new PeeringActivation("active", { vpcId, peeringId });
            if (isAttached) {
                new Service("orders", { name: "orders", regionCode: "us-east-1", vpcId });
            }
        };

    /** A stack, and a function that expects a run to fail for a reason and to change nothing. */
    const start = async (isAttached: boolean) => {
        const stack = await startStack({ peerings: "immediate", projects: [{ id: other, name: "Other" }] });
        await stack.up(program("10.0.0.0/24", isAttached));
        stack.calls();
        const refused = async (reason: RegExp, ...run: Parameters<TestStack["up"]>) => {
            const { errors } = await failed(stack.up(...run));
            expect(errors.join("\n")).toMatch(reason);
            expect(stack.calls()).toEqual([]);
        };
        return { stack, refused };
    };

    test("a wrong project of the stack, and one of another token", async () => {
        const { stack, refused } = await start(true);
        for (const [project, cidr, reason] of [
            [missing, "10.0.0.0/24", /listVpcs/],
            [other, "10.0.0.0/16", /403/],
        ] as const) {
            await stack.setConfig("clouddb:projectId", project);
            const { operations } = await stack.preview(program(cidr, true));
            expect(new Set(Object.values(operations))).toEqual(new Set(["replace"]));
            await refused(reason);
        }
        await stack.setConfig("clouddb:projectId", own);
        const { operations } = await stack.up(program("10.0.0.0/24", true));
        expect(operations).toEqual({ ...unchanged, orders: "same" });
        expect(stack.calls()).toEqual([]);
    });

    test("a network that overlaps a third one, a token that may not list, and a service of another stack", async () => {
        const { stack, refused } = await start(false);
        const { emulator } = stack;
        const post = async (path: string, body: object) => {
            const headers = { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" };
            const url = `${emulator.url}/projects/${own}/${path}`;
            const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
            stack.calls();
            return (await response.json()) as Record<string, string>;
        };
        const { id } = await stack.state("network");
        await post("vpcs", { name: "third", cidr: "10.0.8.0/24", region_code: "us-east-1" });
        await refused(/10\.0\.8\.0\/24/, program("10.0.0.0/16"));
        emulator.addFaults(["listVpcs#1+:403"]);
        await refused(/listVpcs/, program("10.0.0.0/23"));
        emulator.clearFaults();
        const deletesFirst = program("10.0.0.0/24", false, { deleteBeforeReplace: true });
        await stack.setConfig("clouddb:projectId", missing);
        await refused(/listVpcs/, deletesFirst);
        await stack.setConfig("clouddb:projectId", own);
        const theirs = await post("services", { name: "theirs" });
        emulator.updateService(theirs.service_id ?? "", { vpcId: id });
        await refused(/"theirs"/, program("10.0.0.0/23"));
        const { urn } = await stack.state("network");
        await refused(/"theirs"/, deletesFirst, { replace: [urn] });

        expect((await stack.up(program("10.0.0.0/24"))).operations).toEqual(unchanged);
        emulator.updateService(theirs.service_id ?? "", { vpcId: null });
        await stack.up(program("10.0.0.0/23"));
        expect(stack.calls()).toEqual(["deletePeering", "deleteVpc", "createVpc", "createPeering"]);
        expect((await stack.up()).operations).toEqual(unchanged);
    });
});
