import { Peering, PeeringActivation, ReadReplicaSet, Service, Vpc, type ServiceArgs } from "../../sdk/nodejs";
import { failureOf } from "./client";
import { RunFailed, startStack, type TestStack } from "./engine";
import { peer } from "./existing";

// What only the engine shows: the order of its calls, and which operation it chooses for each resource.

/** A resource of each kind, and a fork. */
const everything =
    (changes: ServiceArgs = {}) =>
    () => {
        const { vpcId } = new Vpc("network", { name: "net", cidr: "10.0.0.0/21", regionCode: "us-east-1" });
        const { peeringId } = new Peering("office", { vpcId, ...peer, waitFor: "provisioned" });
        new PeeringActivation("activation", { vpcId, peeringId });
        const orders = new Service("orders", {
            name: "orders",
            addons: ["time-series"],
            regionCode: "us-east-1",
            cpuMillis: 1000,
            memoryGbs: 4,
            replicaCount: 2,
            syncReplicaCount: 1,
            environment: "PROD",
            connectionPooler: true,
            vpcId,
            password: "a-password-of-the-program",
            ...changes,
        });
        const { serviceId, name, host, status } = orders;
        new Service("archive", { fork: { serviceId, strategy: "NOW" }, paused: true });
        new ReadReplicaSet("reports", { serviceId, name: "reports", nodes: 1, cpuMillis: 500, memoryGbs: 2 });
        return { name, host, status };
    };

const names = ["network", "office", "activation", "orders", "archive", "reports"];
const all = (op: string) => Object.fromEntries(names.map((name) => [name, op]));

type Step = readonly [name: string, check: (stack: TestStack) => Promise<void>];

/** The steps of the life cycle of one stack. */
const steps: readonly Step[] = [
    [
        "the preview of a new stack sends no request and shows the numbered plan of each resource",
        async (stack) => {
            const { operations, messages } = await stack.preview(everything());

            expect(operations).toEqual(all("create"));
            const steps = Object.entries(messages).map(([name, lines]) => [name, lines.map((line) => line.charAt(0))]);
            expect(Object.fromEntries(steps)).toEqual({
                network: ["1"],
                office: ["1"],
                activation: ["1"],
                orders: ["1", "2", "3", "4", "5"],
                archive: ["1", "2"],
                reports: ["1"],
            });
            expect(stack.emulator.journal()).toEqual([]);
        },
    ],
    [
        "up creates all resources, each after its dependencies",
        async (stack) => {
            const { operations } = await stack.up();

            expect(operations).toEqual(all("create"));
            const calls = stack.calls();
            const ofOrders = ["attachToVPC", "createService", "enablePooler", "setHA", "updatePassword"];
            const after = ["createReplicaSet", "forkService", "stopService"];
            expect([...calls].sort()).toEqual([...ofOrders, ...after, "createPeering", "createVpc"].sort());
            expect(calls[0]).toBe("createVpc");
            const last = Math.max(...ofOrders.map((call) => calls.indexOf(call)));
            expect(after.filter((call) => calls.indexOf(call) < last)).toEqual([]);
            const { vpcs, peerings, services } = stack.emulator.snapshot();
            expect(vpcs).toMatchObject([{ cidr: "10.0.0.0/21", region_code: "us-east-1" }]);
            expect(peerings).toMatchObject([{ vpc_id: vpcs[0]?.id, status: "active" }]);
            expect(services).toMatchObject([
                {
                    status: "READY",
                    ha_replicas: { replica_count: 2, sync_replica_count: 1 },
                    vpc_endpoint: { vpc_id: vpcs[0]?.id },
                    read_replica_sets: [{ status: "active", nodes: 1 }],
                },
                { status: "PAUSED", forked_from: { service_id: services[0]?.service_id } },
            ]);
            expect(await stack.outputs()).toMatchObject({ host: services[0]?.endpoint?.host, status: "READY" });
        },
    ],
    [
        "a second up changes nothing and sends no request",
        async (stack) => {
            const { operations } = await stack.up();

            expect(operations).toEqual(all("same"));
            expect(stack.emulator.journal()).toEqual([]);
        },
    ],
    [
        "a refresh without changes keeps the state, except for time stamps and ciphertexts",
        async (stack) => {
            const before = await comparable(stack);
            const { operations } = await stack.refresh();

            expect(operations).toEqual(all("same"));
            expect(await comparable(stack)).toEqual(before);
        },
    ],
    [
        "a changed cpuMillis is one line in the preview, even if the API is unreachable, and one call in the update",
        async (stack) => {
            const { url, token } = stack.emulator;
            stack.env({ CLOUDDB_ACCESS_TOKEN: "", CLOUDDB_BASE_URL: "http://127.0.0.1:9/v1" });
            const preview = await stack.preview(everything({ cpuMillis: 2000, memoryGbs: 8 }));
            expect(preview.operations).toEqual({ ...all("same"), orders: "update" });
            expect(preview.messages).toEqual({ orders: [expect.stringMatching(/^1 resize/)] });

            stack.env({ CLOUDDB_ACCESS_TOKEN: token, CLOUDDB_BASE_URL: url });
            stack.calls();
            expect((await stack.up()).operations).toEqual(preview.operations);
            expect(stack.calls()).toEqual(["resizeService"]);
            const spec = { cpu_millis: 2000, memory_gbs: 8 };
            expect(stack.emulator.snapshot().services).toMatchObject([{ resources: [{ spec }] }, {}]);
        },
    ],
    [
        "a second service with the name that the API shows is reported as existing, and not created",
        async (stack) => {
            const before = stack.emulator.snapshot().counts;
            const copies = () => {
                const { name } = everything({ cpuMillis: 2000, memoryGbs: 8 })();
                new Service("copy", { name, regionCode: "us-east-1" });
            };
            const { run } = await failureOf(stack.up(copies), RunFailed);
            expect(run.errors.join("\n")).toContain('is declared by resource "orders"');
            expect(stack.emulator.snapshot().counts).toEqual(before);
        },
    ],
    [
        "destroy deletes all resources",
        async (stack) => {
            const { operations } = await stack.destroy();

            expect(operations).toEqual(all("delete"));
            expect(stack.emulator.snapshot()).toMatchObject({ vpcs: [], peerings: [], services: [] });
            expect(stack.emulator.snapshot().counts.replicaSets).toEqual({ made: 1, removed: 1 });
        },
    ],
];

/** Tests each step with an API in the words of its documentation. */
export function testLifeCycle(): void {
    let stack: TestStack;

    beforeAll(async () => {
        stack = await startStack();
    });
    test.each(steps)("%s", (_, check) => check(stack));
}

/** The whole life cycle with an API in this dialect. A failure names its step. */
export async function runLifeCycle(dialect: string): Promise<void> {
    const stack = await startStack({ dialect });
    for (const [name, check] of steps) {
        await check(stack).catch((error: unknown) => {
            const { message } = error as Error;
            throw Object.assign(error as Error, { message: `${name}:\n${message}` });
        });
    }
}

/** The parts of a state that a refresh without changes must keep. */
async function comparable({ emulator, resources }: TestStack): Promise<unknown> {
    // An API with words that nobody knows has them in some of its answers.
    const words = emulator.dialect.includes(":word") ? ["serviceType", "status"] : [];
    const differs = new Set(["time", "created", "modified", "ciphertext", ...words]);
    return JSON.parse(JSON.stringify(await resources()), (key, value: unknown) => {
        if (key === "propertyDependencies") {
            // Pulumi omits empty entries after a refresh.
            const full = Object.entries(value as object).filter(([, urns]) => (urns as string[]).length > 0);
            return full.length > 0 ? Object.fromEntries(full) : undefined;
        }
        const { waitFor } = Object(value) as { waitFor?: string };
        // Its creation does not wait until it is active: a refresh may find that it has become so.
        const later = waitFor === "provisioned" ? { ...(value as object), status: "" } : value;
        return differs.has(key) ? "" : later;
    }) as unknown;
}
