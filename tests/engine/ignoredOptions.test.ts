import { Service } from "../../sdk/nodejs";
import { failed, host, startStack } from "../support/engine";

// What runs without the effect of an option. tests/unit/sdk/options.test.ts goes through all options, and
// tests/native/providers.test.ts has a provider of the other host.

test("a declared deletionProtection that ignoreChanges ignores is a warning, and the refused deletion names the option", async () => {
    const stack = await startStack();
    const program = (deletionProtection: boolean) => () => {
        new Service("orders", { deletionProtection }, { ignoreChanges: ["*"], customTimeouts: { read: "1m" } });
    };
    await stack.up(program(true));
    const { messages, operations } = await stack.up(program(false));
    expect(operations).toEqual({ orders: "same" });
    const lines = messages.orders?.join("\n");
    expect(lines).toContain("ignoreChanges keeps that of the last run");
    expect(lines?.includes("customTimeouts.read has no effect")).toBe(host === "dynamic");
    const { errors } = await failed(stack.destroy());
    expect(errors.join("\n")).toMatch(/declare deletionProtection: false without ignoreChanges/);
});
