import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Service, Vpc, type ServiceArgs } from "../../sdk/nodejs";
import { startStack, type TestStack, typeToken } from "../support/engine";

// What only the engine shows: the text of a preview. Unit tests have the calls of the update, and those of the way back.

/** A service with every field that changes in place, and two networks. */
const program = (args: (networks: { first: Vpc; second: Vpc }) => ServiceArgs) => () => {
    const first = new Vpc("first", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
    const second = new Vpc("second", { cidr: "10.0.8.0/21", regionCode: "us-east-1" });
    new Service("orders", { name: "orders", ...args({ first, second }) });
};

const all = program(({ first }) => ({
    vpcId: first.vpcId,
    cpuMillis: 1000,
    memoryGbs: 4,
    replicaCount: 1,
    environment: "DEV",
    password: "first-password",
}));
const sixChanged = program(({ second }) => ({
    vpcId: second.vpcId,
    cpuMillis: 2000,
    memoryGbs: 8,
    replicaCount: 2,
    syncReplicaCount: 1,
    environment: "PROD",
    connectionPooler: true,
    password: "second-password",
}));

describe("a change of many fields at once", () => {
    let stack: TestStack;

    beforeAll(async () => {
        stack = await startStack();
        await stack.up(all);
        stack.calls();
    });
    test("the preview of a change of many fields fits into 100 columns", async () => {
        const { output } = await stack.preview(sixChanged);

        const text = output
            .replaceAll(typeToken("Service"), "TYPE")
            .replace(/VPC \d+/g, "VPC <id>")
            .replace(/^@ previewing.*\n/gm, "")
            .replace(/ +$/gm, "");
        const diagnostics = text.slice(text.indexOf("Diagnostics:")).trimEnd();
        expect(`${diagnostics}\n`).toBe(readFileSync(join(__dirname, "approved", "sixFields.txt"), "utf8"));
        expect(Math.max(...diagnostics.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
        expect(stack.calls()).toEqual([]);
        // A log also has the rows of the resource, which show the first line of a message.
        expect(text.split("1 change the password")).toHaveLength(2);
    });
});
