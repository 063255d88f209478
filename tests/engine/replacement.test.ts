import { ComponentResource, Stash } from "@pulumi/pulumi";
import { ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import type { ServiceArgs } from "../../sdk/nodejs";
import { failed, removeStacks, startStack } from "../support/engine";
import type { TestStack } from "../support/engine";

const database = (args: ServiceArgs) => () => {
    const { serviceId } = new Service("orders", { name: "orders", regionCode: "us-east-1", ...args });
    new ReadReplicaSet("reports", { name: "reports", serviceId, nodes: 1, cpuMillis: 500, memoryGbs: 2 });
};

afterAll(removeStacks);

describe("changes that require a replacement", () => {
    let stack: TestStack;
    let firstId: string;

    const theService = () => {
        const { services } = stack.emulator.snapshot();
        expect(services).toHaveLength(1);
        return services[0];
    };

    beforeAll(async () => {
        stack = await startStack();
        await stack.up(database({}));
        firstId = theService()?.service_id ?? "";
        stack.calls();
    }, 120_000);

    test.each([
        { property: "regionCode", args: { regionCode: "eu-west-1" }, change: 'regionCode "us-east-1" -> "eu-west-1"' },
        { property: "addons", args: { addons: ["ai" as const] }, change: 'addons none -> ["ai"]' },
    ])(
        "a change of $property requires a replacement and fails the preview with the old and the new value",
        async ({ args, change }) => {
            const { errors, output, otherOutput } = await failed(stack.preview(database(args)));

            expect(errors).toEqual([
                expect.stringContaining(
                    `Service "orders" would be replaced by a new, empty one (${change}), and its data would be lost. ` +
                        `Undo the change, or set allowReplace: true to accept this.`,
                ),
            ]);
            expect(output).not.toMatch(/^ +at /m);
            expect(otherOutput).toEqual([]);
            expect(stack.emulator.journal()).toEqual([]);
        },
    );

    test("a change that requires a replacement fails an update, and no request is sent", async () => {
        await failed(stack.up(database({ regionCode: "eu-west-1" })));

        expect(stack.calls()).toEqual([]);
    });

    test("with allowReplace, a change that requires a replacement replaces the service and its dependents", async () => {
        const args = { regionCode: "eu-west-1", allowReplace: true };
        const { operations, messages } = await stack.preview(database(args));
        expect(operations).toEqual({ orders: "replace", reports: "replace" });
        expect(messages.orders).toEqual([
            `is replaced (regionCode "us-east-1" -> "eu-west-1"): the old service ${firstId} is deleted and its data is lost`,
            '1 create service "orders": DEV, in "eu-west-1"',
        ]);
        await stack.up();

        expect(theService()).toMatchObject({
            name: "orders",
            region_code: "eu-west-1",
            read_replica_sets: [{ name: "reports", status: "active" }],
        });
        expect(theService()?.service_id).not.toBe(firstId);
        expect((await stack.up()).operations).toEqual({ orders: "same", reports: "same" });
    });

    test("a change that requires a replacement fails with deletionProtection, with and without allowReplace", async () => {
        const here = { regionCode: "eu-west-1", deletionProtection: true, allowReplace: true };
        await stack.up(database(here));
        stack.calls();
        const { errors } = await failed(stack.preview(database({ ...here, regionCode: "us-west-2" })));

        expect(errors[0]).toContain(
            "but has deletionProtection. Set it to false and run `pulumi up` before you make this change.",
        );
        expect(stack.calls()).toEqual([]);
    });

    test("a deletion fails until deletionProtection is off", async () => {
        const { errors } = await failed(stack.up(() => undefined));

        expect(errors).toEqual([
            expect.stringContaining("remove the `protect` flag from the resource in your Pulumi program"),
        ]);
        expect(theService()).toMatchObject({ status: "READY" });
        await stack.up(database({ regionCode: "eu-west-1", deletionProtection: false }));
        await stack.destroy();
        expect(stack.emulator.snapshot().services).toEqual([]);
    });
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
    }, 120_000);

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
        for (const refusal of [await failed(stack.preview(program(wide))), await failed(stack.up())]) {
            expect(refusal.errors.join("\n")).toContain(
                `of service ${orders} refers to a resource that this change deletes before it creates the new one`,
            );
            expect(refusal.output).toContain(
                "Make this change in two runs: 1. Undo it, remove vpcId from the service and run `pulumi up`. " +
                    "2. Make it again, set vpcId again and run `pulumi up`.",
            );
        }
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

    test("a service that Pulumi deletes together with its VPC is kept, also in a second run, unless allowReplace was set before", async () => {
        const linked = (cidr: string, allowReplace: boolean, deleteBeforeReplace?: boolean) => () => {
            const opts = deleteBeforeReplace === undefined ? {} : { deleteBeforeReplace };
            const network = new Vpc("network", { name: "network", cidr, regionCode: "us-east-1" }, opts);
            const args = { name: "orders", regionCode: "us-east-1", allowReplace };
            new Service("orders", args, { replaceWith: [network] });
        };
        await stack.up(linked("10.0.0.0/16", false));
        const { services, vpcs } = stack.emulator.snapshot();
        stack.calls();
        for (const allowReplace of [false, true]) {
            const { errors } = await failed(stack.up(linked("10.0.0.0/20", allowReplace)));
            expect(errors.join("\n")).toContain(
                `Service ${services[0]?.service_id ?? ""} is not deleted: this run has not completed "network"`,
            );
        }
        expect(stack.calls()).toEqual([]);
        expect(stack.emulator.snapshot().vpcs).toEqual(vpcs);

        const { urn } = await stack.state("network");
        for (let run = 0; run < 2; run += 1) {
            const { errors } = await failed(stack.up(linked("10.0.0.0/16", false, true), { replace: [urn] }));
            expect(errors.join("\n")).toContain('this run has not completed "network"');
        }
        expect(stack.calls()).toEqual([]);

        await stack.up(linked("10.0.0.0/16", true));
        await stack.up(linked("10.0.0.0/20", true));
        expect(stack.calls()).toEqual(["deleteService", "deleteVpc", "createVpc", "createService"]);
    });
});

test.each([false, true])(
    "a service that Pulumi deletes together with a resource of another package is kept, even when the run is repeated (in a component: %s)",
    async (isChild) => {
        const stack = await startStack();
        const program = () => {
            // Pulumi deletes nothing as long as it does not know the provider.
            const network = new Vpc("network", { cidr: "10.0.0.0/16", regionCode: "us-east-1" });
            const other = new Stash("other", { input: 1 }, { deleteBeforeReplace: true, dependsOn: network });
            const parent = isChild
                ? new ComponentResource("shop:index:Shop", "shop", {}, { dependsOn: other })
                : undefined;
            new Service("orders", {}, { replaceWith: [other], ...(parent && { parent }) });
        };
        await stack.up(program);
        const { services } = stack.emulator.snapshot();
        const { urn } = await stack.state("other");
        for (let run = 0; run < 2; run += 1) {
            const { errors } = await failed(stack.up(program, { replace: [urn] }));
            expect(errors.join("\n")).toContain('is not deleted: this run has not completed "orders"');
        }
        expect(stack.emulator.snapshot().services).toEqual(services);
        await stack.up(program);
        await stack.destroy({ runProgram: true });
        expect(stack.emulator.snapshot().services).toEqual([]);
    },
    120_000,
);

test("a service that the program declares in an apply of its VPC is kept with --continue-on-error if the VPC fails", async () => {
    const stack = await startStack();
    const program =
        (cidr: string, isDeclared = true) =>
        () => {
            const network = new Vpc("network", { cidr, regionCode: "us-east-1" });
            network.id.apply(() => isDeclared && new Service("nested"));
        };
    const databases = () => stack.emulator.snapshot().services.map(({ service_id: id }) => id);
    await stack.up(program("10.2.0.0/16"));
    const created = databases();
    for (let run = 0; run < 2; run += 1) {
        stack.emulator.addFaults([{ operation: "createVpc", effect: { kind: "answer", status: 400 } }]);
        const { errors } = await failed(stack.up(program("10.3.0.0/16"), { continueOnError: true }));
        expect(errors.join("\n")).toContain('is not deleted: this run has not completed "network"');
        expect(databases()).toEqual(created);
    }
    await stack.up(program("10.3.0.0/16"));
    expect(databases()).toEqual(created);
    await stack.up(program("10.3.0.0/16", false));
    expect(databases()).toEqual([]);
}, 120_000);
