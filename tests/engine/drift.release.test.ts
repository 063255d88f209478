import { Peering, ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import { startStack, type TestStack } from "../support/engine";
import { peer } from "../support/existing";

// What only the engine shows: the operations and the state after a refresh. Unit tests have the reads and their failures.

const program = (cpuMillis: number) => () => {
    const network = new Vpc("network", { name: "network", cidr: "10.0.0.0/21", regionCode: "us-east-1" });
    new Peering("office", { vpcId: network.vpcId, ...peer });
    const args = { cpuMillis, memoryGbs: cpuMillis / 250 };
    const orders = new Service("orders", { name: "orders", ...args, environment: "PROD", vpcId: network.vpcId });
    new ReadReplicaSet("reports", { name: "reports", serviceId: orders.serviceId, nodes: 1, ...args });
};

const all = (op: string) => ({ network: op, office: op, orders: op, reports: op });

describe("changes outside of the program", () => {
    let stack: TestStack;
    let ids: Record<"network" | "office" | "orders" | "reports", string>;

    beforeAll(async () => {
        stack = await startStack();
        await stack.up(program(500));
        const { vpcs, peerings, services } = stack.emulator.snapshot();
        ids = {
            network: vpcs[0]?.id ?? "",
            office: peerings[0]?.id ?? "",
            orders: services[0]?.service_id ?? "",
            reports: services[0]?.read_replica_sets?.[0]?.id ?? "",
        };
    });
    test("a refresh shows changes that were made outside of the program", async () => {
        stack.emulator.updateVpc(ids.network, { name: "stranger" });
        stack.emulator.updateService(ids.orders, {
            name: "stranger",
            size: { cpuMillis: 2000, memoryGbs: 8 },
            replicaCount: 1,
            vpcId: null,
            environment: "DEV",
            pooler: true,
        });
        stack.emulator.updateReplicaSet(ids.reports, { nodes: 3, pooler: true });
        const { operations } = await stack.refresh();

        expect(operations).toEqual({ ...all("update"), office: "same" });
        const { inputs, outputs } = await stack.state("orders");
        const seen = { name: "stranger", cpuMillis: 2000, memoryGbs: 8, environment: "DEV" };
        expect(outputs).toMatchObject({ ...seen, replicaCount: 1, connectionPooler: true });
        expect(inputs).toMatchObject(seen);
        expect(inputs).not.toHaveProperty("vpcId");
    });

    test("the preview after a refresh shows how each change is reverted", async () => {
        stack.calls();
        const { operations, messages } = await stack.preview();

        expect(operations).toEqual({ ...all("update"), office: "same" });
        const steps = Object.entries(messages).map(([name, lines]) => [name, lines.length]);
        expect(Object.fromEntries(steps)).toEqual({ network: 1, orders: 6, reports: 2 });
        expect(stack.calls()).toEqual([]);
    });

    test("the up after a refresh reverts the changes and changes nothing else", async () => {
        await stack.up();

        const ofSet = ["disableReplicaSetPooler", "resizeReplicaSet"];
        const ofService = ["attachToVPC", "disablePooler", "renameService", "resizeService", "setEnvironment", "setHA"];
        expect(stack.calls().sort()).toEqual([...ofSet, "renameVpc", ...ofService].sort());
    });

    test("a refresh warns of a service that is gone, and not of what it contained", async () => {
        stack.emulator.deleteService(ids.orders);
        const { operations, messages } = await stack.refresh();

        expect(operations).toEqual({ network: "same", office: "same", orders: "delete", reports: "delete" });
        expect(messages).toEqual({ orders: [expect.stringContaining(ids.orders)] });
    });

    test("`up --refresh` removed an undeclared resource from the state without deleting it", async () => {
        await stack.up(() => undefined, { refresh: true });
        expect(stack.emulator.snapshot()).toMatchObject({ vpcs: [], peerings: [], services: [] });
    });
});
