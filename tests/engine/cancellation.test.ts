import { setTimeout as sleep } from "node:timers/promises";
import type { Interceptor } from "../../emulator";
import { Peering, ReadReplicaSet, Service, Vpc, type ServiceArgs } from "../../sdk/nodejs";
import { failed, host, startStack, type RunFailed, type TestStack } from "../support/engine";

/** Longer than the limit at the speed of the tests, and short enough for the next run to wait for it. */
const slowMs = 500_000;
/** The engine ends within this time after Ctrl-C. */
const limitMs = 2_000;

const orders =
    (args: ServiceArgs = {}) =>
    () => {
        new Service("orders", args);
    };

/** Presses Ctrl-C when the API has received a request for an operation. Returns the time until the run has ended. */
async function interrupt(
    stack: TestStack,
    operationId: string,
    run: (signal: AbortSignal) => ReturnType<TestStack["up"]>,
): Promise<number> {
    stack.emulator.clearJournal();
    const keys = new AbortController();
    let pressedAt = 0;
    const watch = setInterval(() => {
        if (pressedAt === 0 && stack.emulator.journal().some((entry) => entry.operationId === operationId)) {
            pressedAt = Date.now();
            keys.abort();
        }
    }, 20);
    try {
        await failed(run(keys.signal));
    } finally {
        clearInterval(watch);
    }
    expect(pressedAt).toBeGreaterThan(0);
    return Date.now() - pressedAt;
}

describe("Ctrl-C ends the run within two seconds, and the next run completes", () => {
    test("Ctrl-C during the creation of a service ends the run within two seconds, and the next run completes", async () => {
        const stack = await startStack({ durations: { create: slowMs } });
        const endedMs = await interrupt(stack, "createService", (signal) => stack.up(orders(), { signal }));
        expect(endedMs).toBeLessThan(limitMs);

        const state = await stack.state("orders");
        expect(state.id).toBe(stack.emulator.snapshot().services[0]?.service_id);
        const { operations } = await stack.up();
        expect(operations).toEqual({ orders: "update" });
        expect(stack.emulator.snapshot().services).toHaveLength(1);
        await stack.preview(undefined, { expectNoChanges: true });
    });

    test("Ctrl-C between two steps of an update ends the run within two seconds, and the next run does not repeat completed steps", async () => {
        const stack = await startStack({ durations: { setHA: slowMs } });
        await stack.up(orders({ cpuMillis: 500, memoryGbs: 2 }));
        const change = orders({ cpuMillis: 1000, memoryGbs: 4, replicaCount: 1, environment: "PROD" });
        const endedMs = await interrupt(stack, "setHA", (signal) => stack.up(change, { signal }));
        expect(endedMs).toBeLessThan(limitMs);
        expect((await stack.state("orders")).outputs).toMatchObject({ cpuMillis: 1000 });

        stack.calls();
        await stack.up();
        expect(stack.calls()).toEqual(["setEnvironment"]);
        expect(stack.emulator.snapshot().services[0]).toMatchObject({ ha_replicas: { replica_count: 1 } });
    });

    test("Ctrl-C during the deletion of a service ends the run within two seconds, and the next run completes", async () => {
        const stack = await startStack({ durations: { delete: slowMs } });
        await stack.up(orders());
        const endedMs = await interrupt(stack, "deleteService", (signal) => stack.destroy({ signal }));
        expect(endedMs).toBeLessThan(limitMs);

        await stack.state("orders");
        await stack.destroy();
        expect(stack.emulator.snapshot().services).toEqual([]);
    });

    test("Ctrl-C while the second step of a creation is repeated ends the run within two seconds, and the next run completes", async () => {
        const stack = await startStack({ faults: ["attachToVPC#1+:500"] });
        const program = () => {
            const { vpcId } = new Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
            new Service("orders", { regionCode: "us-east-1", vpcId });
        };
        const endedMs = await interrupt(stack, "attachToVPC", (signal) => stack.up(program, { signal }));
        expect(endedMs).toBeLessThan(limitMs);

        const [created] = stack.emulator.snapshot().services;
        expect((await stack.state("orders")).id).toBe(created?.service_id);
        stack.emulator.clearFaults();
        stack.calls();
        expect((await stack.up()).operations).toEqual({ network: "same", orders: "update" });
        expect(stack.calls()).toEqual(["attachToVPC"]);
        await stack.destroy();
        expect(stack.emulator.snapshot().services).toEqual([]);
    });

    test("Ctrl-C before the response to a creation ends the run within two seconds and keeps the id", async () => {
        const slowly: Interceptor = async ({ operationId }, carryOut) => {
            const answer = await carryOut();
            await sleep(operationId === "createService" ? 500 : 0);
            return answer;
        };
        const stack = await startStack({ intercept: slowly });
        const endedMs = await interrupt(stack, "createService", (signal) => stack.up(orders(), { signal }));
        expect(endedMs).toBeLessThan(limitMs);

        expect((await stack.state("orders")).id).toBe(stack.emulator.snapshot().services[0]?.service_id);
        expect((await stack.up()).operations).toEqual({ orders: "update" });
        expect(stack.emulator.snapshot().services).toHaveLength(1);
    });

    test.each([
        [4_000, "keeps the id and the password, and the next run completes"],
        [20_000, "ends the run within ten seconds, and says that the service may exist"],
    ])("Ctrl-C %i ms before the response to a creation %s", async (ms) => {
        const slowly: Interceptor = async ({ operationId }, carryOut) => {
            const answer = await carryOut();
            await sleep(operationId === "createService" ? ms : 0);
            return answer;
        };
        const stack = await startStack({ intercept: slowly });
        const program = () => ({ password: new Service("orders").initialPassword });
        const run: { errors?: readonly string[] } = {};
        const endedMs = await interrupt(stack, "createService", (signal) =>
            stack.up(program, { signal }).catch((error: unknown) => {
                run.errors = (error as RunFailed).run.errors;
                throw error;
            }),
        );
        const [created] = stack.emulator.snapshot().services;
        if (ms > 10_000) {
            expect(endedMs).toBeLessThan(10_000);
            expect(run.errors?.join()).toContain(
                'Service "orders" may exist: the run was cancelled before the API confirmed its creation.\n' +
                    "Find out: run `pulumi up` again: if it exists, the error contains its id",
            );
            const again = await failed(stack.up(program));
            expect(again.errors.join()).toContain(created?.service_id);
            return;
        }
        expect((await stack.state("orders")).id).toBe(created?.service_id);
        expect((await stack.up()).operations).toEqual({ orders: "update" });
        const { password } = await stack.outputs();
        expect(stack.emulator.passwordMatches(created?.service_id ?? "", String(password))).toBe(true);
        expect(stack.emulator.snapshot().services).toHaveLength(1);
    });

    test("Ctrl-C while a peering and a read replica set are created keeps both, and the next run completes", async () => {
        const stack = await startStack({ peerings: "acceptance", durations: { replicaSetCreate: slowMs } });
        const program = () => {
            const network = new Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
            const { serviceId } = new Service("orders");
            // The service is ready then, so that both are in progress.
            const vpcId = serviceId.apply(() => network.vpcId);
            const far = { peerAccountId: "123456789012", peerRegionCode: "us-east-1", peerVpcId: "vpc-1" };
            new Peering("office", { vpcId, ...far });
            new ReadReplicaSet("reports", { serviceId, cpuMillis: 500 });
        };
        const endedMs = await interrupt(stack, "createReplicaSet", (signal) => stack.up(program, { signal }));
        expect(endedMs).toBeLessThan(limitMs);

        const { peerings, services } = stack.emulator.snapshot();
        const [peering, replicaSet] = [peerings[0], services[0]?.read_replica_sets?.[0]];
        expect((await stack.state("office")).id).toBe(`${peering?.vpc_id ?? ""}/${peering?.id ?? ""}`);
        expect((await stack.state("reports")).id).toBe(`${services[0]?.service_id ?? ""}/${replicaSet?.id ?? ""}`);
        stack.emulator.acceptPeering(peering?.id ?? "");
        stack.calls();
        const { operations } = await stack.up();
        expect(operations).toEqual({ network: "same", orders: "same", office: "update", reports: "update" });
        expect(stack.calls()).toEqual([]);
    });
});

/** A stack whose API delays each response by `delay.ms`. */
async function startLateStack() {
    const delay = { ms: 0 };
    const delayed: Interceptor = async (_, carryOut) => {
        await sleep(delay.ms);
        return carryOut();
    };
    return { delay, stack: await startStack({ intercept: delayed }) };
}

test("Ctrl-C during a refresh ends the run within two seconds and keeps the state", async () => {
    const { delay, stack } = await startLateStack();
    await stack.up(orders());
    const { id, inputs } = await stack.state("orders");

    delay.ms = 2 * limitMs;
    const endedMs = await interrupt(stack, "getService", (signal) => stack.refresh({ signal }));
    expect(endedMs).toBeLessThan(limitMs);
    expect(await stack.state("orders")).toMatchObject({ id, inputs });
});

// A dynamic provider cannot import.
(host === "native" ? test : test.skip)(
    "Ctrl-C during an import ends the run within two seconds, and the next import completes",
    async () => {
        const { delay, stack } = await startLateStack();
        await stack.up(orders());
        const { id, urn } = await stack.state("orders");
        await stack.pulumi("state", "delete", urn, "--yes");
        const program = () => {
            new Service("imported", {}, { import: id });
        };

        delay.ms = 2 * limitMs;
        const endedMs = await interrupt(stack, "getService", (signal) => stack.up(program, { signal }));
        expect(endedMs).toBeLessThan(limitMs);
        expect(await stack.entries("imported")).toEqual([]);

        delay.ms = 0;
        await stack.up();
        expect((await stack.state("imported")).id).toBe(id);
    },
);
