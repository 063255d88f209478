import type { CustomResourceOptions } from "@pulumi/pulumi";
import { Peering, PeeringActivation, ReadReplicaSet, Service, Vpc } from "../../sdk/nodejs/native";
import { failed, startStack, typeToken, type TestStack } from "../support/engine";
import { existingResources } from "../support/existing";

/** The ids of unmanaged resources, one of each kind. */
async function existing({ emulator }: TestStack) {
    const input = { addons: ["time-series" as const], environment_tag: "PROD" as const };
    const { vpc, peering, service, readReplicaSet } = await existingResources(emulator, input);
    emulator.updateService(service, { vpcId: vpc, replicaCount: 2, syncReplicaCount: 1, pooler: true });
    emulator.clearJournal();
    const office = `${vpc}/${peering}`;
    return { network: vpc, office, active: office, orders: service, reports: `${service}/${readReplicaSet}` };
}

test("pulumi import of each kind records inputs and the protection of a service, with which the program shows no change", async () => {
    const stack = await startStack();
    await stack.setConfig("clouddb:deletionProtection", "true");
    const ids = await existing(stack);
    const kinds = {
        network: "Vpc",
        office: "Peering",
        active: "PeeringActivation",
        orders: "Service",
        reports: "ReadReplicaSet",
    };
    const resources = Object.entries(kinds).map(([name, kind]) => ({
        type: typeToken(kind),
        name,
        id: ids[name as keyof typeof ids],
    }));
    await stack.importResources(resources);

    const inputs = async (name: string) => [name, (await stack.state(name)).inputs] as const;
    const declared = Object.fromEntries(await Promise.all(Object.keys(kinds).map(inputs)));
    expect(declared.orders).toMatchObject({ cpuMillis: 1000, memoryGbs: 4, replicaCount: 2, environment: "PROD" });
    expect((await stack.state("orders")).outputs).toMatchObject({ deletionProtection: true });
    stack.emulator.clearJournal();
    const program = () => {
        const opts = { protect: true };
        new Vpc("network", declared.network as never, opts);
        new Peering("office", declared.office as never, opts);
        new PeeringActivation("active", declared.active as never, opts);
        new Service("orders", declared.orders, opts);
        new ReadReplicaSet("reports", declared.reports as never, opts);
    };
    const { operations } = await stack.preview(program);
    expect(operations).toEqual(Object.fromEntries(Object.keys(kinds).map((name) => [name, "same"])));
    expect((await stack.refresh()).operations).toEqual(operations);
    expect((await stack.up(program)).operations).toEqual(operations);
    expect(stack.calls()).toEqual([]);
});

test("the import option imports a resource and records its protection, even if the program declares only some of its properties", async () => {
    const stack = await startStack();
    await stack.setConfig("clouddb:deletionProtection", "true");
    const { orders } = await existing(stack);
    const program = (options: CustomResourceOptions) => () => {
        new Service("orders", { cpuMillis: 1000, memoryGbs: 4 }, options);
    };
    expect((await stack.up(program({ import: orders }))).operations).toEqual({ orders: "import" });
    expect((await stack.state("orders")).outputs).toMatchObject({ deletionProtection: true });
    expect((await stack.up(program({}))).operations).toEqual({ orders: "same" });
    expect(stack.calls()).toEqual([]);
});

test("after an import, a declared vpcId that is removed detaches the service, also if it has changed nothing, and a VPC that no program declared stays", async () => {
    const stack = await startStack();
    const { network, orders } = await existing(stack);
    const resources = [
        { type: typeToken("Vpc"), name: "network", id: network },
        { type: typeToken("Service"), name: "orders", id: orders },
    ];
    await stack.importResources(resources);
    const vpc = (await stack.state("network")).inputs as never;
    const given = (await stack.state("orders")).inputs;
    // A program has no hidden inputs.
    const { vpcId, __declared, ...others } = given;
    expect(__declared).toEqual([]);
    const program = (inputs: object) => () => {
        new Vpc("network", vpc, { protect: true });
        new Service("orders", inputs, { protect: true });
    };
    stack.emulator.clearJournal();
    await stack.up(program(others));
    await stack.refresh();
    await stack.up(program(others));
    expect(stack.calls()).toEqual([]);
    const same = { network: "same", orders: "same" };
    expect((await stack.up(program({ ...others, vpcId }))).operations).toEqual(same);
    await stack.refresh();
    expect((await stack.up(program(others))).operations).toMatchObject({ orders: "update" });
    expect(stack.calls()).toEqual(["detachFromVPC"]);
});

test("an import or a .get with a wrong id fails with an error that names the remedy, and the state does not change", async () => {
    const stack = await startStack();
    const { office } = await existing(stack);
    const [, peeringId = ""] = office.split("/");
    const wrong = [
        { type: typeToken("Service"), name: "missing", id: "abcdefghij" },
        { type: typeToken("Peering"), name: "incomplete", id: peeringId },
    ];
    const { output } = await failed(stack.importResources(wrong));
    expect([peeringId, "VPC/PEERING", "abcdefghij"].filter((text) => !output.includes(text))).toEqual([]);
    const got = await failed(stack.preview(() => void Service.get("found", "abcdefghij")));
    expect(got.errors.join("\n")).toContain("abcdefghij");
    expect([await stack.entries("missing"), await stack.entries("incomplete")]).toEqual([[], []]);
});

test("a resource that the program manages and also reads with .get is deleted by `destroy --run-program`", async () => {
    const stack = await startStack();
    const program = () => {
        const { id } = new Service("orders");
        const view = Service.get("view", id);
        return { name: view.name, kind: view instanceof Service };
    };
    await stack.up(program);
    expect(await stack.outputs()).toEqual({ name: expect.stringContaining("orders-") as string, kind: true });
    await stack.destroy({ runProgram: true });
    expect(stack.emulator.snapshot().services).toEqual([]);
});
