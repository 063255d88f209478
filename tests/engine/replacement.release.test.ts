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
    expect(messages.orders).toEqual([
        `is replaced (regionCode "us-east-1" -> "eu-west-1"): the old service ${id} is deleted, and its data will be lost, unless retainOnDelete keeps it`,
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
    expect(errors.join("\n")).toMatch(/VPC "network" already exists: [^]*\/docs\/protection.md/);
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

    test.each([false, true])("a wrong project of the stack, with a service in the VPC: %s", async (isAttached) => {
        const { stack, refused } = await start(isAttached);
        const names = ["network", "office", "active", ...(isAttached ? ["orders"] : [])];
        for (const [project, cidr, reason] of [
            [missing, "10.0.0.0/24", /listVpcs failed with 404: project projectttt does not exist/],
            // That of another token.
            [other, "10.0.0.0/16", /VPC "network" was not created: 403 FORBIDDEN/],
        ] as const) {
            await stack.setConfig("clouddb:projectId", project);
            const { messages } = await stack.preview(program(cidr, isAttached));
            for (const name of names) {
                expect(messages[name]?.[0]).toContain(`is replaced (project "${own}" -> "${project}"`);
            }
            await refused(reason);
        }
        await stack.setConfig("clouddb:projectId", own);
        const { operations } = await stack.up(program("10.0.0.0/24", isAttached));
        expect(operations).toEqual({ ...unchanged, ...(isAttached ? { orders: "same" } : {}) });
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
        const cannot = (why: string) =>
            new RegExp(
                `^Peering activation "active" .* is not deleted, because VPC "network" \\(${id}\\) cannot be replaced: ${why}`,
            );

        const { messages } = await stack.preview(program("10.0.0.0/23"));
        const { id: office } = await stack.state("office");
        const cause = `vpcId "${id}" -> (known after apply)`;
        expect(messages.office).toEqual([
            `is replaced (${cause}): the old peering ${office} is deleted`,
            expect.stringMatching(/^1 create peering /),
        ]);

        await post("vpcs", { name: "third", cidr: "10.0.8.0/24", region_code: "us-east-1" });
        await refused(cannot("its cidr 10.0.0.0/16 overlaps 10.0.8.0/24 of VPC"), program("10.0.0.0/16"));
        emulator.addFaults(["listVpcs#1+:403"]);
        await refused(cannot("listVpcs failed with 403"), program("10.0.0.0/23"));
        emulator.clearFaults();
        const deletesFirst = program("10.0.0.0/24", false, { deleteBeforeReplace: true });
        await stack.setConfig("clouddb:projectId", missing);
        await refused(cannot("listVpcs failed with 404"), deletesFirst);
        await stack.setConfig("clouddb:projectId", own);
        const theirs = await post("services", { name: "theirs" });
        emulator.updateService(theirs.service_id ?? "", { vpcId: id });
        await refused(cannot('it has service "theirs"'), program("10.0.0.0/23"));
        const { urn } = await stack.state("network");
        await refused(cannot('it has service "theirs"'), deletesFirst, { replace: [urn] });

        expect((await stack.up(program("10.0.0.0/24"))).operations).toEqual(unchanged);
        emulator.updateService(theirs.service_id ?? "", { vpcId: null });
        await stack.up(program("10.0.0.0/23"));
        expect(stack.calls()).toEqual(["deletePeering", "deleteVpc", "createVpc", "createPeering"]);
        expect((await stack.up()).operations).toEqual(unchanged);
    });
});
