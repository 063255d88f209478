import { setTimeout as sleep } from "node:timers/promises";
import type { JournalEntry } from "../../emulator";
import { Service, type ServiceArgs } from "../../sdk/nodejs";
import { cancelWhen, failed, startStack, type TestStack } from "../support/engine";
import { kill, processesBelow } from "../support/processes";

// What only the engine shows: what it stores when a run is cancelled. Unit tests have the other moments of a cancellation, and
// tests/faults/crash the other signals.

/** Much longer than a run. */
const slowMs = 3_000_000;
/** The provider awaits the response to a creation, also after a cancellation. */
const responseMs = 4_000;

const hasCall = (operation: string) => (journal: readonly JournalEntry[]) =>
    journal.some(({ operationId }) => operationId === operation);

let stack: TestStack;
/** The id of the only service. */
const only = () => {
    const [service, ...others] = stack.emulator.snapshot().services;
    expect(others).toEqual([]);
    return service?.service_id ?? "";
};

const orders =
    (args: ServiceArgs = {}) =>
    () => ({ password: new Service("orders", { cpuMillis: 500, memoryGbs: 2, ...args }).initialPassword });

beforeAll(async () => {
    stack = await startStack({
        durations: { create: slowMs, setHA: slowMs, delete: slowMs },
        intercept: async ({ operationId }, carryOut) => {
            const answer = await carryOut();
            if (operationId === "createService") {
                kill(await processesBelow(), "SIGINT");
                await sleep(responseMs);
            }
            return answer;
        },
    });
});

test("Ctrl-C in a terminal, which all processes get, before the response to a creation keeps the id and the password, and the next run completes", async () => {
    await failed(stack.up(orders()));
    const id = only();
    expect((await stack.state("orders")).id).toBe(id);

    stack.emulator.finish(id);
    stack.calls();
    expect((await stack.up()).operations).toEqual({ orders: "update" });
    expect(stack.calls()).toEqual([]);
    expect(only()).toBe(id);
    const { password } = await stack.outputs();
    expect(stack.emulator.passwordMatches(id, String(password))).toBe(true);
});

test("a cancellation between two steps of an update: the next run does not repeat completed steps", async () => {
    const change = orders({ cpuMillis: 1000, memoryGbs: 4, replicaCount: 1, environment: "PROD" });
    await cancelWhen(stack, hasCall("setHA"), (signal) => stack.up(change, { signal }));
    const { id, outputs } = await stack.state("orders");
    expect(outputs).toMatchObject({ cpuMillis: 1000, environment: "DEV" });

    stack.emulator.finish(id);
    stack.calls();
    await stack.up();
    expect(stack.calls()).toEqual(["setEnvironment"]);
    expect(stack.emulator.snapshot().services).toMatchObject([{ ha_replicas: { replica_count: 1 } }]);
});

test("a cancellation during a deletion keeps the entry, and the next run completes it", async () => {
    await cancelWhen(stack, hasCall("deleteService"), (signal) => stack.destroy({ signal }));
    const { id } = await stack.state("orders");
    expect(id).toBe(only());
    stack.emulator.finish(id);
    await stack.destroy();
    expect(stack.emulator.snapshot().services).toEqual([]);
});
