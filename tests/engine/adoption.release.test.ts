import type { CustomResourceOptions } from "@pulumi/pulumi";
import { Peering, ReadReplicaSet, Service, Vpc, type ServiceArgs } from "../../sdk/nodejs";
import { failed, startStack, type TestStack } from "../support/engine";
import { clientOf, existingResources, peer } from "../support/existing";

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

/** The path of the calls with which another client changes a service. */
const pathOf = ({ emulator }: TestStack, id: string) => ({ project_id: emulator.projectId, service_id: id });

test("what a program declares of an adopted service and removes has the usual default, and its VPC can be deleted", async () => {
    const other = await startStack();
    const { up, refresh, calls, emulator } = other;
    const { id: vpcId } = await emulator.createVpc({ cidr: "10.0.0.0/16" });
    const { id } = await emulator.createService();
    emulator.updateService(id, { vpcId, pooler: true });
    await clientOf(emulator).call("stopService", { path: pathOf(other, id), body: undefined }, {});
    const program =
        (args: ServiceArgs = {}, declaresVpc = true) =>
        () => {
            if (declaresVpc) {
                new Vpc("network", { cidr: "10.0.0.0/16", regionCode: "us-east-1", existingId: vpcId });
            }
            new Service("orders", { existingId: id, ...args });
        };
    calls();
    await up(program());
    await refresh();
    await up(program({ vpcId, connectionPooler: true, paused: true }));
    await refresh();
    expect(calls()).toEqual([]);
    await up(program());
    expect(calls().sort()).toEqual(["detachFromVPC", "disablePooler", "startService"]);
    expect((await up(program({}, false))).operations).toEqual({ network: "delete", orders: "same" });
    expect(emulator.snapshot().vpcs).toEqual([]);
});

test("a service to which somebody adds an HA replica during its adoption keeps it", async () => {
    const other = await startStack({ durations: { setHA: 600_000 } });
    const { id } = await other.emulator.createService();
    await clientOf(other.emulator).call("setHA", { path: pathOf(other, id), body: { replica_count: 1 } }, {});
    const program = () => {
        new Service("orders", { existingId: id });
    };
    other.calls();
    expect((await other.preview(program)).messages.orders).toEqual([expect.not.stringMatching(/^2 /m)]);
    await other.up();
    expect((await other.up(undefined, { refresh: true })).operations).toEqual({ orders: "same" });
    expect(other.calls()).toEqual([]);
    expect(other.emulator.snapshot().services).toMatchObject([{ ha_replicas: { replica_count: 1 } }]);
});

test("a rejected peering that a program has adopted is replaced as the messages say, at an API that accepts one per VPC", async () => {
    const { emulator, up, refresh } = await startStack({
        peerings: "immediate",
        intercept: ({ operationId, request }, carryOut) => {
            const [, vpc] = /vpcs\/(\w+)/.exec(request.path) ?? [];
            return operationId === "createPeering" && emulator.snapshot().peerings.some((one) => one.vpc_id === vpc)
                ? Promise.resolve({ status: 409, headers: {}, body: '{"code":"CONFLICT","message":"It exists."}' })
                : carryOut();
        },
    });
    const existing = async (cidr: string) => {
        const vpc = await emulator.createVpc({ cidr });
        return { vpcId: vpc.id, existingId: (await emulator.createPeering(vpc)).id };
    };
    const complete = await existing("10.0.0.0/16");
    const incomplete = await existing("10.1.0.0/16");
    const program = (adopts: boolean) => () => {
        for (const [name, { vpcId, existingId }] of Object.entries({ complete, incomplete })) {
            new Peering(name, { vpcId, ...peer, ...(adopts ? { existingId } : {}) });
        }
    };
    const reject = ({ existingId }: typeof complete) => emulator.failPeering(existingId, undefined, "rejected");
    const byHand = "delete it at the platform, remove existingId, then `pulumi up`";

    reject(incomplete);
    const { errors } = await failed(up(program(true), { continueOnError: true }));
    expect(errors).toEqual([expect.stringContaining(byHand)]);
    reject(complete);
    const { messages } = await refresh();
    expect(messages.complete?.join()).toContain(
        "remove existingId, if the program has it; then `pulumi up`, which replaces it",
    );
    expect(messages.incomplete?.join()).toContain(byHand);
    emulator.deletePeering(incomplete.existingId);
    await up(program(false));
    const { peerings } = emulator.snapshot();
    expect(peerings).toMatchObject([{ status: "active" }, { status: "active" }]);
    const ids = [complete, incomplete].map(({ existingId }) => existingId);
    expect(peerings.filter(({ id }) => ids.includes(id))).toEqual([]);
    expect((await up()).operations).toEqual({ complete: "same", incomplete: "same" });
});
