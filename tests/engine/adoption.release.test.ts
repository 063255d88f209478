import type { CustomResourceOptions } from "@pulumi/pulumi";
import { Peering, ReadReplicaSet, Service, Vpc, type ServiceArgs } from "../../sdk/nodejs";
import { failed, startStack, type TestStack } from "../support/engine";

// What only the engine shows: the state after an adoption, and that no entry of it deletes what another one has adopted.
// Unit tests have the reasons why a resource cannot be adopted.

const peer = { peerAccountId: "123456789012", peerRegionCode: "us-east-1", peerVpcId: "vpc-1" };

/** Resources that were created outside of any program. */
class Outside {
    private constructor(
        readonly stack: TestStack,
        readonly ids: Record<"network" | "office" | "orders" | "reports", string>,
    ) {}

    static async start(): Promise<Outside> {
        const stack = await startStack();
        const { emulator } = stack;
        const make = async (path: string, body: object): Promise<{ id: string; service_id: string }> => {
            const headers = { Authorization: `Bearer ${emulator.token}`, "Content-Type": "application/json" };
            const url = `/v1/projects/${emulator.projectId}${path}`;
            const answer = await emulator.handle({ method: "POST", path: url, headers, body: JSON.stringify(body) });
            if (answer.status >= 300) {
                throw new Error(answer.body);
            }
            return JSON.parse(answer.body) as { id: string; service_id: string };
        };
        const network = await make("/vpcs", { name: "old", cidr: "10.0.0.0/24", region_code: "us-east-1" });
        const office = await make(`/vpcs/${network.id}/peerings`, {
            peer_account_id: peer.peerAccountId,
            peer_region_code: peer.peerRegionCode,
            peer_vpc_id: peer.peerVpcId,
        });
        const orders = await make("/services", { name: "old", cpu_millis: "1000", memory_gbs: "4" });
        while (emulator.snapshot().services[0]?.status !== "READY") {
            await new Promise((done) => setTimeout(done, 10));
        }
        const size = { nodes: 2, cpu_millis: 500, memory_gbs: 2 };
        const reports = await make(`/services/${orders.service_id}/replicaSets`, { name: "old", ...size });
        emulator.clearJournal();
        return new Outside(stack, {
            network: network.id,
            office: office.id,
            orders: orders.service_id,
            reports: reports.id,
        });
    }
}

const later = (why: string) => `the steps of the update are not known yet: ${why}`;

describe("the adoption of existing resources", () => {
    let stack: TestStack;
    let ids: Outside["ids"];

    beforeAll(async () => {
        ({ stack, ids } = await Outside.start());
    });

    const program = (adopting: boolean) => () => {
        const existing = (id: string) => (adopting ? { existingId: id } : {});
        const { vpcId } = new Vpc("network", {
            name: "new",
            cidr: "10.0.0.0/24",
            regionCode: "us-east-1",
            ...existing(ids.network),
        });
        new Peering("office", { vpcId, ...peer, ...existing(ids.office) });
        const { serviceId } = new Service("orders", { vpcId, environment: "PROD", ...existing(ids.orders) });
        const size = { nodes: 1, cpuMillis: 500, memoryGbs: 2 };
        new ReadReplicaSet("reports", { serviceId, ...size, ...existing(ids.reports) });
    };
    const all = (op: string) => ({ network: op, office: op, orders: op, reports: op });

    test("get reads a resource without managing it", async () => {
        await stack.up(() => {
            const service = Service.get("theirs", ids.orders);
            const vpc = Vpc.get("theirNetwork", ids.network);
            const set = ReadReplicaSet.get("theirSet", `${ids.orders}/${ids.reports}`);
            const peering = Peering.get("theirOffice", `${ids.network}/${ids.office}`);
            return {
                service: [service.serviceId, service.cpuMillis],
                cidr: vpc.cidr,
                nodes: set.nodes,
                peering: [peering.peeringId, peering.status],
            };
        });
        expect(await stack.outputs()).toEqual({
            service: [ids.orders, 1000],
            cidr: "10.0.0.0/24",
            nodes: 2,
            peering: [ids.office, "active"],
        });
        expect(stack.calls()).toEqual([]);
    });

    test("the preview of an adoption reads the resources, shows the changes, and applies none", async () => {
        const { messages } = await stack.preview(program(true));

        expect(messages).toEqual({
            network: [`1 adopt VPC "${ids.network}"`, '2 rename "old" -> "new"'],
            office: [
                `1 adopt peering "${ids.office}" and update it to the declared state`,
                later("the id is known after apply"),
            ],
            orders: [
                `1 adopt service "${ids.orders}"; its connection strings have no password, because the program declares none`,
                "2 attach to VPC (known after apply), `pulumi refresh` shows new endpoints of any replica sets",
                "3 environment DEV -> PROD",
            ],
            reports: [
                `1 adopt read replica set "${ids.reports}" and update it to the declared state`,
                later("the id is known after apply"),
            ],
        });
        expect(stack.calls()).toEqual([]);
    });

    test("an adoption applies the declared values and keeps the values that the program does not declare", async () => {
        // The entries of the resources that were only read are removed without a request.
        expect((await stack.up(program(true))).operations).toMatchObject(all("create"));

        expect(stack.callsByName()).toEqual({
            new: ["renameVpc"],
            old: expect.arrayContaining(["attachToVPC", "setEnvironment", "resizeReplicaSet"]) as string[],
        });
        expect(stack.emulator.snapshot().services).toMatchObject([
            {
                name: "old",
                resources: [{ spec: { cpu_millis: 1000 } }],
                read_replica_sets: [{ name: "old", nodes: 1 }],
            },
        ]);
        for (const [name, id] of Object.entries(ids)) {
            expect((await stack.state(name)).id.split("/").at(-1)).toBe(id);
        }
    });

    test("adopted resources do not change when existingId is removed from the program", async () => {
        stack.calls();
        expect((await stack.up(program(false))).operations).toEqual(all("same"));
        expect((await stack.refresh()).operations).toEqual(all("same"));
        expect(stack.calls()).toEqual([]);
    });
});

describe("the replacement of adopted resources", () => {
    let stack: TestStack;
    let ids: Outside["ids"];

    beforeAll(async () => {
        ({ stack, ids } = await Outside.start());
    });

    const program =
        (adopting: boolean, opts: CustomResourceOptions = {}) =>
        () => {
            const existing = (id: string) => (adopting ? { existingId: id } : {});
            const network = { name: "new", cidr: "10.0.0.0/24", regionCode: "us-east-1", ...existing(ids.network) };
            const { vpcId } = new Vpc("network", network, opts);
            new Peering("office", { vpcId, ...peer, ...existing(ids.office) }, opts);
            const { serviceId } = new Service("orders", { environment: "PROD", ...existing(ids.orders) }, opts);
            const size = { nodes: 2, cpuMillis: 500, memoryGbs: 2, connectionPooler: true };
            new ReadReplicaSet("reports", { serviceId, ...size, ...existing(ids.reports) }, opts);
        };
    const urns = async () => Promise.all(Object.keys(ids).map(async (name) => (await stack.state(name)).urn));
    const deletions = () => stack.calls().filter((call) => call.startsWith("delete"));

    test("adopted resources are not deleted by the next up after a failed replacement", async () => {
        await stack.up(program(true));
        const { emulator } = stack;
        await emulator.handle({
            method: "POST",
            path: `/v1/projects/${emulator.projectId}/services/${ids.orders}/replicaSets/${ids.reports}/disablePooler`,
            headers: { Authorization: `Bearer ${emulator.token}` },
        });
        emulator.addFaults([{ operation: "enableReplicaSetPooler", effect: { kind: "answer", status: 400 } }]);
        await failed(stack.up(program(true), { replace: await urns() }));
        for (const [name, id] of Object.entries(ids)) {
            const entries = (await stack.entries(name)).map((entry) => entry.id.split("/").at(-1));
            expect([name, entries]).toEqual([name, [id, id]]);
        }
        emulator.clearFaults();
        const { messages } = await stack.up(program(false));

        expect(deletions()).toEqual([]);
        expect(messages.orders?.join("\n")).toContain(`(${ids.orders}) is not deleted: "orders" manages it`);
        for (const name of Object.keys(ids)) {
            expect(await stack.entries(name)).toHaveLength(1);
        }
    });
});

test("a service that is adopted under another name leaves its old entry without a deletion, also if the adoption fails", async () => {
    const stack = await startStack();
    const service = (name: string, args: ServiceArgs) => () => {
        new Service(name, { name: "orders", ...args });
    };
    await stack.up(service("orders", {}));
    const { id: existingId } = await stack.state("orders");
    const adopting = service("main", { existingId, password: "a-new-password" });
    stack.calls();
    stack.emulator.addFaults([{ operation: "updatePassword", effect: { kind: "answer", status: 400 } }]);
    const { output } = await failed(stack.up(adopting, { continueOnError: true }));
    expect(output).toContain(`(${existingId}) is not deleted: "main" manages it`);
    expect(await stack.entries("orders")).toEqual([]);
    stack.emulator.clearFaults();
    await stack.up(adopting);
    expect(stack.calls()).toEqual(["updatePassword", "updatePassword"]);
    expect((await stack.state("main")).id).toBe(existingId);
});
