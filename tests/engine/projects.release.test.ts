import { getService, ReadReplicaSet, Service, Vpc, type ReadReplicaSetArgs } from "../../sdk/nodejs";
import { failed, startStack } from "../support/engine";

const other = "project002";

const startWithProjects = async () => {
    const stack = await startStack({
        projects: [{ id: other, name: "Other" }],
        callers: [{ token: "both", projects: ["emulator01", other] }],
    });
    stack.env({ CLOUDDB_ACCESS_TOKEN: "both" });
    return stack;
};

const size = { cpuMillis: 500, memoryGbs: 2 };

test("a program that sets the project of a service only fails before the request for what refers to it, and the message says what to set", async () => {
    const stack = await startWithProjects();
    const program =
        (ofSet: Partial<ReadReplicaSetArgs> = {}) =>
        () => {
            const { serviceId } = new Service("orders", { ...size, projectId: other });
            new ReadReplicaSet("readers", { serviceId, ...size, ...ofSet });
        };
    const { output } = await failed(stack.up(program()));
    expect(output).toContain("or set projectId to the project of that service");
    expect(stack.calls()).toEqual(["createService"]);
    await stack.up(program({ projectId: other }));
    expect(stack.calls()).toEqual(["createReplicaSet"]);
    expect((await stack.state("readers")).outputs.projectId).toBe(other);
});

test("a fork of a service and a VPC of another project fail in the same way, and a function says what to set", async () => {
    const stack = await startWithProjects();
    const network = () => new Vpc("network", { cidr: "10.0.0.0/16", regionCode: "us-east-1", projectId: other });
    const orders = () => new Service("orders", { ...size, projectId: other });
    await stack.up(() => {
        network();
        orders();
    });
    const fork = () => ({ serviceId: orders().serviceId, strategy: "NOW" as const });
    for (const args of [() => ({ fork: fork() }), () => ({ vpcId: network().vpcId })]) {
        const copies = () => {
            new Service("copy", args());
        };
        const { output } = await failed(stack.up(copies));
        expect(output).toMatch(/or set projectId to the project of that (service|VPC)/);
    }
    const { id: serviceId } = await stack.state("orders");
    // Functions of the dynamic provider run in the process of the program, which does not have the environment of the stack.
    await stack.setConfig("clouddb:baseUrl", stack.emulator.url);
    await stack.setConfig("clouddb:projectId", stack.emulator.projectId);
    await stack.setConfig("clouddb:accessToken", "both", true);
    const found: unknown[] = [];
    await stack.preview(async () => {
        orders();
        found.push(await getService({ serviceId }).catch(String));
    });
    expect(found).toEqual([expect.stringContaining("set projectId if it is in another one")]);
});
