import { ComponentResource, type CustomResourceOptions } from "@pulumi/pulumi";
import { Provider, ReadReplicaSet, Service, Vpc, type ServiceArgs } from "../../sdk/nodejs/native";
import { failed, removeStacks, startStack, type Program, type TestStack } from "../support/engine";

// Each explicit provider is a process, and the engine sends a deletion to the provider in the state.

afterAll(removeStacks);

const limitMs = 180_000;

let stack: TestStack;

beforeEach(async () => {
    stack = await startStack();
});

const own = () => {
    const { url: baseUrl, token: accessToken, projectId } = stack.emulator;
    return new Provider("own", { baseUrl, accessToken, projectId });
};
const isDeleted = () => stack.calls().some((call) => call.startsWith("delete"));

/** A run that must fail, and the same when a pipeline repeats it. */
async function isRefused(program: Program, options: { replace?: string[] } = {}) {
    await failed(stack.up(program, options));
    await failed(stack.up(program, options));
    expect(isDeleted()).toBe(false);
}

test(
    "what an explicit provider adopts is not deleted by the default provider, which had it before",
    async () => {
        await stack.up(() => {
            const vpc = new Vpc("network", { name: "net", cidr: "10.0.0.0/24", regionCode: "us-east-1" });
            const orders = new Service("orders", { name: "orders", vpcId: vpc.vpcId });
            new ReadReplicaSet("readers", {
                serviceId: orders.serviceId,
                name: "readers",
                nodes: 1,
                cpuMillis: 500,
                memoryGbs: 2,
            });
        });
        const ids = await Promise.all(
            ["network", "orders", "readers"].map(async (name) => (await stack.state(name)).id),
        );
        const [vpcId = "", serviceId = "", setId = ""] = ids;
        stack.calls();
        await stack.up(() => {
            const provider = own();
            const network = { name: "net", cidr: "10.0.0.0/24", regionCode: "us-east-1" };
            new Vpc("network-2", { ...network, existingId: vpcId }, { provider });
            new Service("orders-2", { name: "orders", existingId: serviceId }, { provider });
            const set = { name: "readers", nodes: 1, cpuMillis: 500, memoryGbs: 2 };
            new ReadReplicaSet("readers-2", { ...set, serviceId, existingId: setId }, { provider });
        });
        expect(isDeleted()).toBe(false);
        const left = (await stack.resources()).map(({ id }) => id);
        expect(ids.every((id) => left.includes(id))).toBe(true);
        expect(await stack.entries("orders")).toEqual([]);
    },
    limitMs,
);

test(
    "an imported service is not deleted by the provider that had it before",
    async () => {
        await stack.up(() => {
            new Service("orders", { name: "orders" });
        });
        const { id } = await stack.state("orders");
        await stack.up(() => {
            new Service("orders-2", { name: "orders" }, { provider: own(), import: id });
        });
        expect(isDeleted()).toBe(false);
        expect((await stack.state("orders-2")).id).toBe(id);
    },
    limitMs,
);

test(
    "an unnamed service that moves under a component with its own provider is kept",
    async () => {
        await stack.up(() => {
            new Service("orders");
        });
        await isRefused(() => {
            class Shop extends ComponentResource {
                constructor() {
                    super("test:index:Shop", "shop", {}, { providers: [own()] });
                    new Service("orders", {}, { parent: this });
                }
            }
            new Shop();
        });
    },
    limitMs,
);

test(
    "a service is not deleted before its replacement by --replace with another provider",
    async () => {
        const program =
            (args: ServiceArgs = {}, opts: () => CustomResourceOptions = () => ({})): Program =>
            () => {
                new Service("orders", { name: "orders", ...args }, { deleteBeforeReplace: true, ...opts() });
            };
        await stack.up(program());
        const { urn } = await stack.state("orders");
        await isRefused(
            program({}, () => ({ provider: own() })),
            { replace: [urn] },
        );
    },
    limitMs,
);
