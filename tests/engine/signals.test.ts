import { setTimeout as sleep } from "node:timers/promises";
import { Service } from "../../sdk/nodejs";
import { failed, startStack } from "../support/engine";
import { kill, processesBelow } from "../support/processes";

// What only the engine shows: what it stores when all its processes get a signal during a creation, as from a terminal.
// tests/faults/crash has the other signals.

test("SIGINT to all processes of a run during a creation keeps the id and the password, and the next run completes", async () => {
    const stack = await startStack({
        durations: { create: 50_000 },
        intercept: async ({ operationId }, carryOut) => {
            const answer = await carryOut();
            if (operationId === "createService") {
                kill(await processesBelow(), "SIGINT");
                // The response arrives later than the end of a wait.
                await sleep(4_000);
            }
            return answer;
        },
    });
    const program = () => ({ password: new Service("orders").initialPassword });
    await failed(stack.up(program));

    const [created] = stack.emulator.snapshot().services;
    expect((await stack.state("orders")).id).toBe(created?.service_id);
    stack.calls();
    expect((await stack.up()).operations).toEqual({ orders: "update" });
    expect(stack.calls()).toEqual([]);
    expect(stack.emulator.snapshot().services).toHaveLength(1);
    const { password } = await stack.outputs();
    expect(stack.emulator.passwordMatches(created?.service_id ?? "", String(password))).toBe(true);
});
