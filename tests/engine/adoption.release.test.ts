import type { CustomResourceOptions } from "@pulumi/pulumi";
import { Peering, ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import { failed, startStack, type TestStack } from "../support/engine";
import { existingResources, peer } from "../support/existing";

// What only the engine shows: the state after an adoption, and that no entry of it deletes what another one has adopted.
// Unit tests have the plan of an adoption, and the reasons why a resource cannot be adopted.

let stack: TestStack;
let ids: Record<"network" | "office" | "orders" | "reports", string>;

/** Resources that were created outside of any program. */
beforeAll(async () => {
    stack = await startStack();
    const found = await existingResources(stack.emulator, { name: "old" });
    ids = { network: found.vpc, office: found.peering, orders: found.service, reports: found.readReplicaSet };
    stack.emulator.clearJournal();
});

const program =
    (adopting: boolean, opts: CustomResourceOptions = {}) =>
    () => {
        const existing = (id: string) => (adopting ? { existingId: id } : {});
        const network = { name: "new", cidr: "10.0.0.0/16", regionCode: "us-east-1", ...existing(ids.network) };
        const { vpcId } = new Vpc("network", network, opts);
        new Peering("office", { vpcId, ...peer, ...existing(ids.office) }, opts);
        const { serviceId } = new Service("orders", { vpcId, environment: "PROD", ...existing(ids.orders) }, opts);
        const size = { nodes: 1, cpuMillis: 500, memoryGbs: 2, connectionPooler: true };
        new ReadReplicaSet("reports", { serviceId, ...size, ...existing(ids.reports) }, opts);
    };
const all = (op: string) => ({ network: op, office: op, orders: op, reports: op });

test("get reads a resource without managing it", async () => {
    await stack.up(() => {
        const service = Service.get("theirs", ids.orders);
        const vpc = Vpc.get("theirNetwork", ids.network);
        const set = ReadReplicaSet.get("theirSet", `${ids.orders}/${ids.reports}`);
        const peering = Peering.get("theirOffice", `${ids.network}/${ids.office}`);
        return { size: service.cpuMillis, cidr: vpc.cidr, nodes: set.nodes, peering: peering.peeringId };
    });
    expect(await stack.outputs()).toEqual({ size: 1000, cidr: "10.0.0.0/16", nodes: 2, peering: ids.office });
    expect(stack.calls()).toEqual([]);
});

test("an adoption applies the declared values and keeps the values that the program does not declare", async () => {
    await stack.preview(program(true));
    expect(stack.calls()).toEqual([]);
    // The entries of the resources that were only read are removed without a request.
    expect((await stack.up(program(true))).operations).toMatchObject(all("create"));

    const expected = ["attachToVPC", "enableReplicaSetPooler", "renameVpc", "resizeReplicaSet", "setEnvironment"];
    expect(stack.calls().sort()).toEqual(expected);
    expect(stack.emulator.snapshot().services).toMatchObject([
        {
            name: "old",
            resources: [{ spec: { cpu_millis: 1000 } }],
            read_replica_sets: [{ name: "reports", nodes: 1 }],
        },
    ]);
    for (const [name, id] of Object.entries(ids)) {
        expect((await stack.state(name)).id.split("/").at(-1)).toBe(id);
    }
});

test("adopted resources do not change when existingId is removed from the program", async () => {
    expect((await stack.up(program(false))).operations).toEqual(all("same"));
    expect((await stack.refresh()).operations).toEqual(all("same"));
    expect(stack.calls()).toEqual([]);
});

test("adopted resources are not deleted by the next up after a failed replacement", async () => {
    await stack.up(program(true));
    const { emulator } = stack;
    emulator.updateReplicaSet(ids.reports, { pooler: false });
    emulator.addFaults([{ operation: "enableReplicaSetPooler", effect: { kind: "answer", status: 400 } }]);
    const replace = await Promise.all(Object.keys(ids).map(async (name) => (await stack.state(name)).urn));
    await failed(stack.up(program(true), { replace }));
    for (const [name, id] of Object.entries(ids)) {
        const entries = (await stack.entries(name)).map((entry) => entry.id.split("/").at(-1));
        expect([name, entries]).toEqual([name, [id, id]]);
    }
    emulator.clearFaults();
    await stack.up(program(false));

    expect(stack.calls().filter((call) => call.startsWith("delete"))).toEqual([]);
    for (const name of Object.keys(ids)) {
        expect(await stack.entries(name)).toHaveLength(1);
    }
});
