import { secret } from "@pulumi/pulumi";
import { Service, Vpc } from "../../sdk/nodejs";
import type { ServiceArgs } from "../../sdk/nodejs";
import { removeStacks, startStack } from "../support/engine";
import type { TestStack } from "../support/engine";

const limitMs = 240_000;

describe("the engine shows each changed property", () => {
    let stack: TestStack;

    const before: ServiceArgs = { name: "orders", regionCode: "us-east-1", cpuMillis: 500, memoryGbs: 2 };
    const program =
        (change: ServiceArgs = {}) =>
        () => {
            const network = new Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
            const attached = change.vpcId === "" ? { vpcId: network.vpcId } : {};
            const orders = new Service("orders", { ...before, ...change, ...attached });
            return { host: orders.host, pooler: orders.poolerHost };
        };

    beforeAll(async () => {
        stack = await startStack();
        await stack.up(program());
        stack.calls();
    }, limitMs);
    afterAll(removeStacks);

    test.each([
        [["name"], { name: "shop" }],
        [["cpuMillis", "memoryGbs"], { cpuMillis: 1000, memoryGbs: 4 }],
        [["replicaCount", "syncReplicaCount"], { replicaCount: 2, syncReplicaCount: 1 }],
        [["vpcId"], { vpcId: "" }],
        [["environment"], { environment: "PROD" }],
        [["connectionPooler"], { connectionPooler: true }],
        [["paused"], { paused: true }],
        [["password"], { password: secret("long-enough") }],
        [["deletionProtection"], { deletionProtection: true }],
        [["allowReplace", "regionCode"], { regionCode: "eu-west-1", allowReplace: true }],
        [["addons", "allowReplace"], { addons: ["ai"], allowReplace: true }],
    ] satisfies [string[], ServiceArgs][])(
        "in a preview: %j",
        async (expected, change) => {
            const { properties, output } = await stack.preview(program(change), { diff: true });
            expect(properties.orders).toEqual(expected);
            expect(output).not.toContain("long-enough");
            expect(stack.calls()).toEqual([]);
        },
        limitMs,
    );

    test(
        "in a refresh after a change outside of the program",
        async () => {
            const { id } = await stack.state("orders");
            stack.emulator.updateService(id, { environment: "PROD" });
            const refreshed = await stack.refresh();
            expect(refreshed.done).toMatchObject({ orders: "update", network: "same" });
            expect(refreshed.output).toContain("environment");
            const { properties } = await stack.preview(program(), { diff: true });
            expect(properties.orders).toEqual(["environment"]);
        },
        limitMs,
    );
});
