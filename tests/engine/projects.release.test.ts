import { getService, ReadReplicaSet, Service, Vpc, type ReadReplicaSetArgs, type ServiceArgs } from "../../sdk/nodejs";
import { startStack } from "../support/engine";

const other = "project002";
const declares = `set projectId: "${other}"`;

const startWithProjects = async () => {
    const stack = await startStack({
        projects: [{ id: other, name: "Other" }],
        callers: [{ token: "both", projects: ["emulator01", other] }],
    });
    stack.env({ CLOUDDB_ACCESS_TOKEN: "both" });
    return stack;
};

const size = { cpuMillis: 500, memoryGbs: 2 };

test("a program that sets the project of a service only is told to set that of what refers to it, in the preview and before any request", async () => {
    const stack = await startWithProjects();
    const program =
        (services: Readonly<Record<string, ServiceArgs>>, ofSet: Partial<ReadReplicaSetArgs> = {}) =>
        () => {
            const [first] = Object.entries(services).map(([name, args]) => new Service(name, { ...size, ...args }));
            new ReadReplicaSet("readers", { serviceId: first?.serviceId ?? "", ...size, ...ofSet });
        };
    const one = { orders: { projectId: other } };
    const { messages } = await stack.preview(program(one));
    expect(messages.readers?.join("\n")).toContain(declares);

    // With a service of the default project, only the id shows it.
    const two = { ...one, shop: {} };
    expect((await stack.preview(program(two))).messages.readers?.join("\n")).not.toContain(declares);
    await expect(stack.up(program(two))).rejects.toThrow(declares);
    expect(stack.calls().sort()).toEqual(["createService", "createService"]);
    await expect(stack.preview(program(two))).rejects.toThrow(declares);

    await stack.up(program(two, { projectId: other }));
    expect(stack.calls()).toEqual(["createReplicaSet"]);
    expect((await stack.state("readers")).outputs.projectId).toBe(other);
});

test("a fork and a network of another project are named in the same way, and a function says what to set", async () => {
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
        await expect(stack.preview(copies)).rejects.toThrow(declares);
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
