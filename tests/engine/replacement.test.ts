import { Peering, PeeringActivation, ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import { failed, startStack, type TestStack } from "../support/engine";
import { peer } from "../support/existing";

// What only the engine shows: the order in which it replaces a resource, its dependents and the one that it uses.
// tests/languages/refusedRuns.test.ts has the ways out of a refusal, and tests/unit/lifecycle/delete.replaced.test.ts each reason
// for one.

const own = { regionCode: "us-east-1" };

/** A service in a network, and one with a replica set. */
const databases = (cidr: string, regionCode: string) => () => {
    const { vpcId } = new Vpc("network", { name: "network", cidr, ...own });
    new Service("orders", { name: "orders", ...own, vpcId });
    const { serviceId } = new Service("moved", { name: "moved", regionCode });
    new ReadReplicaSet("reports", { name: "reports", serviceId, nodes: 1, cpuMillis: 500, memoryGbs: 2 });
};

/** A network whose replacement deletes it first, together with its peering. */
const peered = (cidr: string) => () => {
    const { vpcId } = new Vpc("peered", { name: "peered", cidr, ...own });
    const { peeringId } = new Peering("office", { vpcId, ...peer });
    new PeeringActivation("active", { vpcId, peeringId });
};

let stack: TestStack;

beforeAll(async () => {
    stack = await startStack({ peerings: "immediate" });
    await stack.up(databases("10.0.0.0/24", "us-east-1"));
});

const serviceOf = (wanted: string) => stack.emulator.snapshot().services.filter(({ name }) => name === wanted);

test("the preview says what happens to the data of a service that is replaced with its replica set", async () => {
    const [{ service_id: id } = { service_id: "" }] = serviceOf("moved");
    const { operations, messages } = await stack.preview(databases("10.0.1.0/24", "eu-west-1"));
    expect(operations).toEqual({ network: "replace", orders: "update", moved: "replace", reports: "replace" });
    // What is lost, the creation, and that the new one is not protected.
    expect(messages.moved).toEqual([
        expect.stringContaining(id),
        expect.stringMatching(/^1 create/),
        expect.not.stringMatching(/^\d/),
    ]);
});

test("a service and its replica set are replaced, and a service moves to the replacement of its VPC before the old one is deleted", async () => {
    const [before] = serviceOf("moved");
    stack.calls();
    const next = databases("10.0.1.0/24", "eu-west-1");
    await stack.up(() => {
        next();
        peered("10.8.0.0/24")();
    });
    const moves = stack.calls().filter((call) => /VPC$|^deleteVpc/.test(call));
    expect(moves).toEqual(["detachFromVPC", "attachToVPC", "deleteVpc"]);
    const { vpcs } = stack.emulator.snapshot();
    expect(vpcs.map(({ cidr }) => cidr).sort()).toEqual(["10.0.1.0/24", "10.8.0.0/24"]);
    const attachedTo = vpcs.find(({ name }) => name === "network")?.id;
    expect(serviceOf("orders")).toMatchObject([{ vpc_endpoint: { vpc_id: attachedTo } }]);
    const moved = serviceOf("moved");
    expect(moved).toMatchObject([
        { region_code: "eu-west-1", read_replica_sets: [{ name: "reports", status: "active" }] },
    ]);
    expect(moved[0]?.service_id).not.toBe(before?.service_id);
});

test("a replacement that the provider asks to delete first deletes nothing in a wrong project, or while a service of another stack uses it", async () => {
    const refused = async (reason: RegExp, ...run: Parameters<TestStack["up"]>) => {
        const { errors } = await failed(stack.up(...run));
        expect(errors.join("\n")).toMatch(reason);
        expect(stack.calls()).toEqual([]);
    };
    const { emulator } = stack;
    const { id, urn } = await stack.state("peered");
    const replace = [urn];
    const wide = peered("10.8.0.0/16");
    stack.calls();
    await refused(/\/docs\/protection\.md/, peered("10.8.0.0/24"), { replace });
    await stack.setConfig("clouddb:projectId", "projectttt");
    await refused(/listVpcs/, wide);
    await stack.setConfig("clouddb:projectId", emulator.projectId);
    const theirs = await emulator.createService({ name: "theirs" });
    emulator.updateService(theirs.id, { vpcId: id });
    stack.calls();
    await refused(/"theirs"/, wide);
    emulator.updateService(theirs.id, { vpcId: null });
    const { operations } = await stack.up(wide);
    expect(operations).toMatchObject({ peered: "replace", office: "replace", active: "replace", moved: "delete" });
    const calls = stack.calls().filter((call) => /^(create|deleteVpc|deletePeering)/.test(call));
    // The program no longer declares the other network, which is deleted at the end.
    expect(calls).toEqual(["deletePeering", "deleteVpc", "createVpc", "createPeering", "deleteVpc"]);
    // A way out of Pulumi's own provider would be in the state of every stack.
    expect((await stack.resources()).map(({ type }) => type)).not.toContain("pulumi:providers:pulumi");
});
