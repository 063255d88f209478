import { Peering, ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs";
import { failed, removeStacks, startStack } from "../support/engine";

afterAll(removeStacks);

const orders = () => ({ password: new Service("orders", { name: "orders" }).initialPassword });

test("a creation whose response describes an older database manages the new one", async () => {
    const stack = await startStack();
    await stack.up(() => {
        new Service("older", { name: "older" });
    });
    const [older] = stack.emulator.snapshot().services;
    stack.emulator.addFaults(["createService:otherObject"]);
    await stack.up(() => {
        new Service("older", { name: "older" });
        return orders();
    });
    const created = stack.emulator.snapshot().services.find(({ name }) => name === "orders");
    expect((await stack.state("orders")).id).toBe(created?.service_id);
    expect((await stack.state("older")).id).toBe(older?.service_id);
    const { password } = await stack.outputs();
    expect(stack.emulator.passwordMatches(created?.service_id ?? "", String(password))).toBe(true);
});

test("a refresh whose reads describe another database stores nothing of it", async () => {
    const stack = await startStack();
    await stack.up(orders);
    const before = await stack.state("orders");
    stack.emulator.addFaults(["getService#1x2:otherObject"]);
    await stack.refresh();
    expect(await stack.state("orders")).toMatchObject({ id: before.id, inputs: before.inputs });

    stack.emulator.addFaults(["getService#1+:otherObject"]);
    const { errors } = await failed(stack.refresh());
    expect(errors.join()).toContain(`it describes "invented00", not "${before.id}"`);
    expect((await stack.state("orders")).outputs).toMatchObject({ serviceId: before.id, name: "orders" });
});

test("lists that are null, and connections that the server closes after each response, block no creation", async () => {
    const stack = await startStack({ faults: ["GET#1+:nullList", "*#1+:closes"] });
    const program = () => {
        const { vpcId } = new Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
        new Peering("office", {
            vpcId,
            peerAccountId: "123456789012",
            peerRegionCode: "us-east-1",
            peerVpcId: "vpc-1",
        });
        const { serviceId } = new Service("orders", { name: "orders" });
        new ReadReplicaSet("reports", { serviceId, cpuMillis: 500 });
    };
    await stack.up(program);
    expect(stack.calls().sort()).toEqual(["createPeering", "createReplicaSet", "createService", "createVpc"]);
    const { operations } = await stack.up(program, { expectNoChanges: true });
    expect(Object.values(operations)).toEqual(["same", "same", "same", "same"]);
});
