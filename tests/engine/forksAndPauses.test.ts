import { Service } from "../../sdk/nodejs";
import type { ServiceArgs } from "../../sdk/nodejs";
import { removeStacks, startStack } from "../support/engine";
import type { EngineRun, TestStack } from "../support/engine";

afterAll(removeStacks);

describe("forks", () => {
    let stack: TestStack;
    let targetTime: string;
    let made: EngineRun;
    let calls: Record<string, string[]>;

    const strategies = ["LAST_SNAPSHOT", "NOW", "PITR"] as const;

    const parent = () => new Service("parent", { name: "parent", regionCode: "eu-west-1", addons: ["ai"] });
    const program = (changes: ServiceArgs) => () => {
        const { serviceId } = parent();
        for (const strategy of strategies) {
            new Service(strategy, {
                name: strategy,
                fork: { serviceId, strategy, ...(strategy === "PITR" && { targetTime }) },
                cpuMillis: 1000,
                memoryGbs: 4,
                replicaCount: 1,
                environment: "PROD",
                connectionPooler: true,
                ...changes,
            });
        }
    };

    beforeAll(async () => {
        stack = await startStack();
        await stack.up(() => void parent());
        targetTime = new Date().toISOString();
        stack.calls();
        made = await stack.up(program({}));
        calls = stack.callsByName();
    }, 120_000);

    test.each(strategies)("a fork by %s is created and brought to the declared state", (strategy) => {
        expect(made.operations[strategy]).toBe("create");
        expect(calls[strategy]).toEqual(["forkService", "setHA", "enablePooler"]);
        const { services } = stack.emulator.snapshot();
        const parent = services.find(({ name }) => name === "parent");
        expect(services.find(({ name }) => name === strategy)).toMatchObject({
            status: "READY",
            region_code: "eu-west-1",
            service_type: "VECTOR",
            forked_from: { service_id: parent?.service_id },
            resources: [{ spec: { cpu_millis: 1000, memory_gbs: 4 } }],
            ha_replicas: { replica_count: 1 },
            metadata: { environment: "PROD" },
        });
    });

    test("the preview of a fork shows its parent and the point in time", async () => {
        const { services } = stack.emulator.snapshot();
        const serviceId = services.find(({ name }) => name === "parent")?.service_id ?? "";
        const { messages } = await stack.preview(() => {
            new Service("again", { name: "again", fork: { serviceId, strategy: "PITR", targetTime } });
        });

        expect(messages.again).toEqual([`1 fork "${serviceId}" (PITR "${targetTime}") as service "again": DEV`]);
    });

    test("a fork is not replaced, and is updated like any other service", async () => {
        expect((await stack.up(program({}))).operations).toEqual({
            parent: "same",
            LAST_SNAPSHOT: "same",
            NOW: "same",
            PITR: "same",
        });
        await stack.up(program({ replicaCount: 0 }));
        expect([...stack.calls()].sort()).toEqual(["setHA", "setHA", "setHA"]);
    });
});

describe("pauses", () => {
    let stack: TestStack;

    const program = (args: ServiceArgs) => () => {
        new Service("orders", { name: "orders", cpuMillis: 500, memoryGbs: 2, ...args });
    };
    const status = () => stack.emulator.snapshot().services[0]?.status;

    beforeAll(async () => {
        stack = await startStack();
    });

    test("a pause at creation is the last step", async () => {
        await stack.up(program({ paused: true, replicaCount: 2, syncReplicaCount: 1, connectionPooler: true }));

        expect(stack.calls()).toEqual(["createService", "setHA", "enablePooler", "stopService"]);
        expect(status()).toBe("PAUSED");
        expect((await stack.up()).operations).toEqual({ orders: "same" });
        expect((await stack.refresh()).operations).toEqual({ orders: "same" });
    });

    test("a paused service is resumed for a change that it rejects while paused, as the preview shows", async () => {
        const changed = program({ paused: true, cpuMillis: 1000, memoryGbs: 4 });
        const { messages } = await stack.preview(changed);
        expect(messages.orders).toEqual([
            "1 resume for as long as the changes take",
            "2 resize 500m/2GB -> 1000m/4GB, restarts the service",
            "3 HA replicas 1 async + 1 sync -> none",
            "4 connection pooler off",
            "5 pause, connections end",
        ]);

        stack.calls();
        await stack.up();
        expect(stack.calls()).toEqual(["startService", "resizeService", "setHA", "disablePooler", "stopService"]);
        expect(status()).toBe("PAUSED");
    });

    test("a paused service is not resumed for a change that it accepts while paused", async () => {
        await stack.up(program({ paused: true, cpuMillis: 1000, memoryGbs: 4, environment: "PROD" }));

        expect(stack.calls()).toEqual(["setEnvironment"]);
        expect(status()).toBe("PAUSED");
    });

    test("a service is resumed before a resize in the same update", async () => {
        await stack.up(program({ cpuMillis: 500, memoryGbs: 2, environment: "PROD" }));

        expect(stack.calls()).toEqual(["startService", "resizeService"]);
        expect(status()).toBe("READY");
    });

    test("a service is paused after a resize in the same update", async () => {
        await stack.up(program({ cpuMillis: 1000, memoryGbs: 4, environment: "PROD", paused: true }));

        expect(stack.calls()).toEqual(["resizeService", "stopService"]);
        expect(status()).toBe("PAUSED");
    });

    test("a paused service can be deleted", async () => {
        await stack.destroy();

        expect(stack.emulator.snapshot().services).toEqual([]);
    });
});
