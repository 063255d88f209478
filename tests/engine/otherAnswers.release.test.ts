import { Service } from "../../sdk/nodejs";
import { failureOf } from "../support/client";
import { RunFailed, startStack } from "../support/engine";

test("a change that a sign-on page answers ends after three minutes, with few requests", async () => {
    let isExpired = false;
    const stack = await startStack({
        intercept: ({ request: { method } }, carryOut) =>
            isExpired && method !== "GET"
                ? Promise.resolve({ status: 200, headers: {}, body: "<html><title>Sign in</title></html>" })
                : carryOut(),
    });
    const program = (cpuMillis: number) => () =>
        new Service("orders", { cpuMillis, regionCode: "us-east-1", deletionProtection: false });
    await stack.up(program(500));
    isExpired = true;
    for (const [operation, work] of [
        ["resizeService", () => stack.up(program(1000))],
        ["deleteService", () => stack.destroy()],
    ] as const) {
        stack.emulator.clearJournal();
        const beganAt = Date.now();
        const { run } = await failureOf(work(), RunFailed);
        expect(Date.now() - beganAt).toBeLessThan(240_000);
        expect(run.output).toContain('HTML instead of JSON ("Sign in")');
        expect(run.output).toContain("Network: check that no firewall blocks");
        const sent = stack.emulator.journal().filter(({ operationId }) => operationId === operation);
        expect(sent.length).toBeGreaterThan(5);
        expect(sent.length).toBeLessThanOrEqual(15);
    }
    isExpired = false;
    await stack.destroy();
    expect(stack.emulator.snapshot().services).toEqual([]);
}, 600_000);
