import { Peering, PeeringActivation, ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import { failureOf } from "./client";
import { formed } from "./dialects";
import { RunFailed, startStack, type TestStack } from "./engine";

/** Declares a resource of each kind, whose names have other forms, and a fork. */
const program = (cpuMillis: number) => () => {
    const network = new Vpc("network", { name: formed("Net"), cidr: "10.0.0.0/21", regionCode: "us-east-1" });
    const { peeringId } = new Peering("office", {
        vpcId: network.vpcId,
        peerAccountId: "123456789012",
        peerRegionCode: "us-east-1",
        peerVpcId: "vpc-0a1b2c3d",
        waitFor: "provisioned",
    });
    new PeeringActivation("activation", { vpcId: network.vpcId, peeringId });
    const args = { cpuMillis, memoryGbs: cpuMillis / 250 };
    const orders = new Service("orders", {
        ...args,
        name: formed("Orders"),
        regionCode: "us-east-1",
        environment: "PROD",
        connectionPooler: true,
        vpcId: network.vpcId,
        password: "a-password-of-the-program",
    });
    const { serviceId } = orders;
    new Service("archive", { name: formed("Archive"), fork: { serviceId, strategy: "NOW" }, paused: true });
    new ReadReplicaSet("reports", { serviceId, name: formed("Reports"), nodes: 2, cpuMillis: 500, memoryGbs: 2 });
    return orders;
};

const names = ["network", "office", "activation", "orders", "archive", "reports"];
const all = (op: string) => Object.fromEntries(names.map((name) => [name, op]));

/** Tests a program with all kinds of resources and an API in this dialect. */
export function testAllKinds(dialect: string): void {
    let stack: TestStack;

    beforeAll(async () => {
        stack = await startStack({ dialect });
    });

    test("up creates all resources, and a second up changes nothing and sends no request", async () => {
        expect((await stack.up(program(500))).operations).toEqual(all("create"));
        stack.emulator.clearJournal();
        expect((await stack.up()).operations).toEqual(all("same"));
        expect(stack.emulator.journal()).toEqual([]);
    });

    test("a refresh finds nothing", async () => {
        expect((await stack.refresh()).operations).toEqual(all("same"));
    });

    test("a changed size is one line in the preview, and one call", async () => {
        const { messages, operations } = await stack.preview(program(1000));
        expect(operations).toEqual({ ...all("same"), orders: "update" });
        expect(messages.orders).toEqual([expect.stringMatching(/^1 resize/)]);
        stack.calls();
        expect((await stack.up()).operations).toEqual(operations);
        expect(stack.calls()).toEqual(["resizeService"]);
    });

    test("a second service with the name that the API shows is reported as existing, and not created", async () => {
        const before = stack.emulator.snapshot().counts;
        const copies = () => {
            const { name } = program(1000)();
            new Service("copy", { name, regionCode: "us-east-1" });
        };
        const { run } = await failureOf(stack.up(copies), RunFailed);
        // The check knows it already if the API keeps the name as it is declared.
        expect(run.errors.join("\n")).toMatch(/Service "copy" already exists|is declared by resource "orders"/);
        expect(stack.emulator.snapshot().counts).toEqual(before);
    });

    test("destroy deletes all resources", async () => {
        expect((await stack.destroy()).operations).toEqual(all("delete"));
        expect(stack.emulator.snapshot()).toMatchObject({ vpcs: [], peerings: [], services: [] });
    });
}
