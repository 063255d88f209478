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

test("a paused service whose API rejects changes because of the pause is resumed, changed and paused again by one run", async () => {
    const stack = await startStack({ dialect: "paused-locked" });
    const program =
        (args: ServiceArgs = {}) =>
        () =>
            new Service("orders", { paused: true, ...args });
    await stack.up(program());
    stack.calls();
    const { messages } = await stack.preview(
        program({ password: "another-password", connectionPooler: true, environment: "PROD" }),
    );
    const lines = messages.orders?.join("\n").split("\n") ?? [];
    expect(lines.filter((line) => /^\S* *if /.test(line))).toEqual([
        expect.stringContaining("resume for as long as the changes take"),
        expect.stringContaining("pause, connections end"),
    ]);
    await stack.up();
    const accepted = stack.emulator.changes().filter(({ status = 0 }) => status < 300);
    const changes = ["updatePassword", "enablePooler", "setEnvironment"];
    expect(accepted.map(({ operationId }) => operationId)).toEqual(["startService", ...changes, "stopService"]);
    expect(stack.emulator.snapshot().services).toMatchObject([{ status: "PAUSED" }]);
    expect((await stack.up(undefined, { refresh: true })).operations).toEqual({ orders: "same" });
});
