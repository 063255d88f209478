import { Service, type ServiceArgs } from "../../sdk/nodejs";
import { failureOf } from "../support/client";
import { failed, RunFailed, startStack } from "../support/engine";

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

test("a change that the API rejects with Retry-After: 0 is sent a few times, and one of which it asks for a pause is sent again after it", async () => {
    const stack = await startStack();
    const program = (cpuMillis: number) => () =>
        new Service("orders", { cpuMillis }, { customTimeouts: { update: "10s" } });
    await stack.up(program(500));
    const sent = () => stack.calls().length;
    sent();
    stack.emulator.addFaults(["resizeService#1+:409,retryAfterMs=0"]);
    await failed(stack.up(program(1000)));
    expect(sent()).toBeLessThan(5);

    stack.emulator.clearFaults();
    stack.emulator.addFaults(["deleteService:409,retryAfterMs=45000"]);
    await stack.destroy();
    expect(sent()).toBe(2);
    expect(stack.emulator.snapshot().services).toEqual([]);
});

test("a change of a paused service that the API rejects because of the pause is made in the two runs that the message names", async () => {
    const stack = await startStack({ dialect: "paused-locked" });
    const program =
        (args: ServiceArgs = {}) =>
        () =>
            new Service("orders", { paused: true, ...args });
    await stack.up(program());
    const change = { password: "another-password", connectionPooler: true, environment: "PROD" } as const;
    const { output } = await failed(stack.up(program(change)));
    expect(output).toContain("is PAUSED: updatePassword was rejected: 409");
    expect(output).toContain("declare paused: false together with this change, run `pulumi up`, then set paused: true");
    // A repetition of the pipeline is refused in the same way.
    expect((await failed(stack.up())).output).toContain("is PAUSED: updatePassword was rejected: 409");
    await stack.up(program({ ...change, paused: false }));
    await stack.up(program(change));
    expect(stack.emulator.snapshot().services).toMatchObject([{ status: "PAUSED" }]);
    expect((await stack.up(undefined, { refresh: true })).operations).toEqual({ orders: "same" });
});
