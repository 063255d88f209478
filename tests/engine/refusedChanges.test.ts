import { Service, type ServiceArgs } from "../../sdk/nodejs";
import { failed, startStack } from "../support/engine";

// What the next commit finds after a change that the API has refused.

test("a refused change of an adopted service that is reverted changes nothing; one that succeeded and is removed has its default", async () => {
    const stack = await startStack();
    const { emulator } = stack;
    const { id: existingId } = await emulator.createService({ name: "manual" });
    emulator.updateService(existingId, { replicaCount: 2, syncReplicaCount: 1, pooler: true });
    const program = (args: ServiceArgs) => () => {
        new Service("orders", { existingId, ...args });
    };
    await stack.up(program({}));
    stack.calls();
    emulator.addFaults(["setHA#1+:400", "disablePooler#1+:400"]);
    for (const refused of [{ replicaCount: 1 }, { connectionPooler: false }]) {
        await failed(stack.up(program(refused)));
        expect((await stack.up(program({}))).operations.orders).toMatch(/^(same|update)$/);
    }
    // Only the refused requests.
    expect(stack.calls()).toEqual(["setHA", "disablePooler"]);
    expect(emulator.snapshot().services).toMatchObject([
        { ha_replicas: { replica_count: 2, sync_replica_count: 1 }, connection_pooler: {} },
    ]);
    await stack.up(program({}), { expectNoChanges: true });

    emulator.clearFaults();
    await stack.up(program({ replicaCount: 1 }));
    await stack.up(program({}));
    expect(stack.calls()).toEqual(["setHA", "setHA"]);
    expect(emulator.snapshot().services).toMatchObject([{ ha_replicas: { replica_count: 0 } }]);
});

test("after a failed update, one run records the new protection and makes the change; while the service never rests, it is only recorded", async () => {
    const stack = await startStack();
    const { emulator } = stack;
    const size = { cpuMillis: 1000, memoryGbs: 4 };
    const program = (args: ServiceArgs) => () => {
        new Service("orders", { deletionProtection: true, ...args }, { customTimeouts: { update: "5s" } });
    };
    await stack.up(program({}));
    const [service] = emulator.snapshot().services;
    emulator.addFaults(["resizeService:400"]);
    await failed(stack.up(program(size)));
    emulator.clearFaults();
    stack.calls();
    await stack.up(program({ ...size, deletionProtection: false }));
    expect(stack.calls()).toEqual(["resizeService"]);
    expect((await stack.state("orders")).outputs).toMatchObject({ ...size, deletionProtection: false });

    await stack.up(program(size));
    emulator.addFaults(["resizeService:400"]);
    await failed(stack.up(program({ cpuMillis: 2000, memoryGbs: 8 })));
    emulator.clearFaults();
    emulator.setServiceStatus(service?.service_id ?? "", "OPTIMIZING");
    await failed(stack.up(program({ ...size, deletionProtection: false })));
    expect((await stack.state("orders")).outputs).toMatchObject({ deletionProtection: false });
    emulator.setServiceStatus(service?.service_id ?? "", "UNSTABLE");
    await stack.destroy();
    expect(emulator.snapshot().services).toEqual([]);
});
