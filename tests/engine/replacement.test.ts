import { ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import type { ServiceArgs } from "../../sdk/nodejs";
import { failed, removeStacks, startStack } from "../support/engine";
import type { TestStack } from "../support/engine";

const database = (args: ServiceArgs) => () => {
    const { serviceId } = new Service("orders", { name: "orders", regionCode: "us-east-1", ...args });
    new ReadReplicaSet("reports", { name: "reports", serviceId, nodes: 1, cpuMillis: 500, memoryGbs: 2 });
};

afterAll(removeStacks);

describe("a change that only a new service could bring", () => {
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
    ])("of $property, is an error in the preview with the old and the new value", async ({ args, change }) => {
        const { errors, output, strays } = await failed(stack.preview(database(args)));

        expect(errors).toEqual([
            expect.stringContaining(
                `Service "orders" would be replaced by a new, empty one (${change}), and its data would be lost. ` +
                    `Undo the change, or set allowReplace: true to accept this.`,
            ),
        ]);
        expect(output).not.toMatch(/^ +at /m);
        expect(strays).toEqual([]);
        expect(stack.emulator.journal()).toEqual([]);
    });

    test("is an error in an update too, and nothing is called", async () => {
        await failed(stack.up(database({ regionCode: "eu-west-1" })));

        expect(stack.calls()).toEqual([]);
    });

    test("replaces the service and what hangs on it with allowReplace", async () => {
        const args = { regionCode: "eu-west-1", allowReplace: true };
        const { done, said } = await stack.preview(database(args));
        expect(done).toEqual({ orders: "replace", reports: "replace" });
        expect(said.orders).toEqual([
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
        expect((await stack.up()).done).toEqual({ orders: "same", reports: "same" });
    });

    test("is refused under deletionProtection, allowReplace or not", async () => {
        const here = { regionCode: "eu-west-1", deletionProtection: true, allowReplace: true };
        await stack.up(database(here));
        stack.calls();
        const { errors } = await failed(stack.preview(database({ ...here, regionCode: "us-west-2" })));

        expect(errors[0]).toContain(
            "but has deletionProtection. Set it to false and run `pulumi up` before you make this change.",
        );
        expect(stack.calls()).toEqual([]);
    });

    test("and so is a deletion, until it is off", async () => {
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

describe("a VPC with a service in it", () => {
    let stack: TestStack;

    const program = (cidr: string) => () => {
        const { vpcId } = new Vpc("network", { name: "network", cidr, regionCode: "us-east-1" });
        new Service("orders", { name: "orders", regionCode: "us-east-1", vpcId });
    };

    beforeAll(async () => {
        stack = await startStack();
        await stack.up(program("10.0.0.0/24"));
        stack.calls();
    }, 120_000);

    test("gets another network by a new VPC, to which the service moves before the old one goes", async () => {
        const [vpc] = stack.emulator.snapshot().vpcs;
        const { said } = await stack.preview(program("10.0.1.0/24"));
        expect(said.network?.[0]).toBe(
            `is replaced (cidr "10.0.0.0/24" -> "10.0.1.0/24"): the old VPC ${vpc?.id ?? ""} is deleted`,
        );
        const { done } = await stack.up();

        expect(done).toEqual({ network: "replace", orders: "update" });
        expect(stack.calls()).toEqual(["createVpc", "detachFromVPC", "attachToVPC", "deleteVpc"]);
        const { vpcs, services } = stack.emulator.snapshot();
        expect(vpcs).toMatchObject([{ cidr: "10.0.1.0/24" }]);
        expect(services).toMatchObject([{ vpc_endpoint: { vpc_id: vpcs[0]?.id } }]);
    });

    test("cannot grow in its place, and the preview says so", async () => {
        const { said } = await stack.preview(program("10.0.0.0/16"));

        expect(said.network?.join("\n")).toContain("its new network overlaps the old one");
        expect(stack.calls()).toEqual([]);
    });
});
