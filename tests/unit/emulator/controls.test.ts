import type { Wire } from "../../../emulator/wire";
import { longMs, newPeering, startWithService, startWorld } from "../../support/emulator";

it("the controls reject values that would exhaust the memory or have no date", async () => {
    const { clock, emulator, readyService, activeReplicaSet } = await startWorld();
    const { service_id: id } = await readyService();
    const { id: set } = await activeReplicaSet(id);
    const huge = 1e300;
    for (const [name, act] of [
        ["lines", () => emulator.fillLogs(id, 1e9)],
        ["lines", () => emulator.fillLogs(id, 0.5)],
        ["ms", () => emulator.advance(huge)],
        ["forMs", () => emulator.setServiceStatus(id, "UNSTABLE", huge)],
        ["create", () => emulator.setDurations({ create: huge })],
        ["replicaCount", () => emulator.updateService(id, { replicaCount: 1e9 })],
        ["nodes", () => emulator.updateReplicaSet(set, { nodes: 1e9 })],
        ["faults", () => emulator.addFaults(Array.from({ length: 2_000 }, () => "GET:503"))],
        ["ms of delay", () => emulator.addFaults(["GET:delay,ms=9000000000000000"])],
    ] as const) {
        expect(act).toThrow(new RegExp(`${name} must be `));
    }
    emulator.fillLogs(id, 100_000);
    emulator.fillLogs(id, 100_000);
    expect(clock.now()).toBeLessThan(huge);
});

it("a status of a service is overridden until it is removed or expires: changes complete, others are rejected", async () => {
    const { api, clock, emulator, id, project, service } = await startWithService();
    const change = () => api("POST", `${project}/services/${id}/setHA`, { replica_count: 1 });
    await change();
    emulator.setServiceStatus(id, "UNSTABLE");
    clock.advance(longMs);
    expect(await service(id)).toMatchObject({ status: "UNSTABLE", ha_replicas: { replica_count: 1 } });
    const refused = { status: 409, body: { message: expect.stringContaining("UNSTABLE") as string } };
    expect(await change()).toMatchObject(refused);
    emulator.setServiceStatus(id);
    expect((await service(id)).status).toBe("READY");
    emulator.setServiceStatus(id, "OPTIMIZING", 1_000);
    clock.advance(999);
    expect((await service(id)).status).toBe("OPTIMIZING");
    clock.advance(1);
    expect((await service(id)).status).toBe("READY");
});

it("deleteService deletes a service and its read replica sets", async () => {
    const { activeReplicaSet, api, emulator, id, project } = await startWithService();
    const set = await activeReplicaSet(id);
    emulator.deleteService(id);
    for (const gone of [id, set.id]) {
        expect((await api("GET", `${project}/services/${gone}`)).status).toBe(404);
    }
    const one = { made: 1, removed: 1 };
    expect(emulator.snapshot().counts).toMatchObject({ services: one, replicaSets: one });
});

it("a changed duration applies to new operations until a reset", async () => {
    const { api, clock, emulator, project, readyService, service } = await startWorld({ speed: 10 });
    const { service_id: id } = await readyService();
    emulator.setDurations({ resize: 60_000 });
    expect(emulator.durations()).toMatchObject({ resize: 60_000, create: 3_000 });
    await api("POST", `${project}/services/${id}/resize`, { cpu_millis: "2000", memory_gbs: "8" });
    clock.advance(5_000);
    expect((await service(id)).status).toBe("CONFIGURING");
    clock.advance(2_000);
    expect((await service(id)).status).toBe("READY");
    emulator.reset();
    expect(emulator.durations().resize).toBe(2_000);
});

it("a reset restores the initial state and the sequence of ids", async () => {
    const { api, emulator, id, project, readyService, vpc, vpcId } = await startWithService();
    emulator.setPeeringFate("immediate");
    emulator.reset();
    expect(emulator.journal()).toEqual([]);
    expect(emulator.snapshot()).toMatchObject({ services: [], vpcs: [], counts: { services: { made: 0 } } });
    expect((await readyService()).service_id).toBe(id);
    expect((await vpc()).id).toBe(vpcId);
    const { body } = await api<Wire["Peering"]>("POST", `${project}/vpcs/${vpcId}/peerings`, newPeering);
    expect(body.status).toBe("provisioning");
});
