import { setTimeout as sleep } from "node:timers/promises";
import type { Interceptor, JournalEntry } from "../../emulator";
import { Service, type ServiceArgs } from "../../sdk/nodejs";
import { cancelWhen, startStack, type TestStack } from "../support/engine";

// What only the engine shows: what it stores when a run is cancelled. Unit tests have the other moments of a cancellation.

/** Much longer than a run. */
const slowMs = 3_000_000;
/** The provider awaits the response to a creation, also after a cancellation. */
const responseMs = 4_000;

const slowly: Interceptor = async ({ operationId }, carryOut) => {
    const answer = await carryOut();
    await sleep(operationId === "createService" ? responseMs : 0);
    return answer;
};

const hasCall = (operation: string) => (journal: readonly JournalEntry[]) =>
    journal.some(({ operationId }) => operationId === operation);

const only = ({ emulator }: TestStack) => {
    const [service, ...others] = emulator.snapshot().services;
    expect(others).toEqual([]);
    return service;
};

test("Ctrl-C before the response to a creation keeps the id and the password, and the next run completes; as does Ctrl-C during the deletion", async () => {
    const stack = await startStack({ durations: { create: slowMs, delete: slowMs }, intercept: slowly });
    const program = () => ({ password: new Service("orders").initialPassword });
    await cancelWhen(stack, hasCall("createService"), (signal) => stack.up(program, { signal }));
    expect(only(stack)).not.toMatchObject({ status: "READY" });
    const { id } = await stack.state("orders");
    expect(id).toBe(only(stack)?.service_id);

    stack.emulator.finish(id);
    expect((await stack.up()).operations).toEqual({ orders: "update" });
    expect(only(stack)).toMatchObject({ service_id: id, status: "READY" });
    const { password } = await stack.outputs();
    expect(stack.emulator.passwordMatches(id, String(password))).toBe(true);

    await cancelWhen(stack, hasCall("deleteService"), (signal) => stack.destroy({ signal }));
    expect(await stack.state("orders")).toMatchObject({ id });
    stack.emulator.finish(id);
    await stack.destroy();
    expect(stack.emulator.snapshot().services).toEqual([]);
});

test("Ctrl-C between two steps of an update: the next run does not repeat completed steps", async () => {
    const stack = await startStack({ durations: { setHA: slowMs } });
    const orders = (args: ServiceArgs) => () => {
        new Service("orders", args);
    };
    await stack.up(orders({ cpuMillis: 500, memoryGbs: 2 }));
    const change = orders({ cpuMillis: 1000, memoryGbs: 4, replicaCount: 1, environment: "PROD" });
    await cancelWhen(stack, hasCall("setHA"), (signal) => stack.up(change, { signal }));
    const { id, outputs } = await stack.state("orders");
    expect(outputs).toMatchObject({ cpuMillis: 1000, environment: "DEV" });

    stack.emulator.finish(id);
    stack.calls();
    await stack.up();
    expect(stack.calls()).toEqual(["setEnvironment"]);
    expect(only(stack)).toMatchObject({ ha_replicas: { replica_count: 1 } });
});
