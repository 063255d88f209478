import type { Wire } from "../../../emulator/wire";
import { longMs, newPeering, startWithService, startWorld } from "../../support/emulator";

describe("the limits of the controls", () => {
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
});

describe("the controls", () => {
    it("removeFault removes the first fault with this short form, and fails with 404 if there is none", async () => {
        const { emulator } = await startWorld({ faults: ["GET:503", "setHA:409", "GET:503"] });
        emulator.removeFault("GET:503");
        expect(emulator.faults().map(({ fault }) => fault)).toEqual(["setHA:409", "GET:503"]);
        expect(() => emulator.removeFault("POST:503")).toThrow("There is no fault POST:503");
    });

    it("an overridden status of a service stays until it is removed, and changes are rejected until then", async () => {
        const { api, emulator, id, project, service } = await startWithService();
        emulator.setServiceStatus(id, "UPGRADING");
        expect((await service(id)).status).toBe("UPGRADING");
        const refused = await api("POST", `${project}/services/${id}/setHA`, { replica_count: 1 });
        expect(refused.status).toBe(409);
        expect(refused.body.message).toContain("UPGRADING");
        emulator.setServiceStatus(id);
        expect((await service(id)).status).toBe("READY");
    });

    it("an overridden status with a duration expires", async () => {
        const { clock, emulator, id, service } = await startWithService();
        emulator.setServiceStatus(id, "OPTIMIZING", 1_000);
        clock.advance(999);
        expect((await service(id)).status).toBe("OPTIMIZING");
        clock.advance(1);
        expect((await service(id)).status).toBe("READY");
    });

    it("an unstable service can be deleted but not resized", async () => {
        const { api, emulator, id, project, service } = await startWithService();
        emulator.setServiceStatus(id, "UNSTABLE");
        const resize = { cpu_millis: "1000", memory_gbs: "4" };
        expect((await api("POST", `${project}/services/${id}/resize`, resize)).status).toBe(409);
        expect((await api("DELETE", `${project}/services/${id}`)).status).toBe(202);
        expect((await service(id)).status).toBe("DELETING");
    });

    it("a change completes while its status is overridden", async () => {
        const { api, clock, emulator, id, project, service } = await startWithService();
        await api("POST", `${project}/services/${id}/setHA`, { replica_count: 1 });
        emulator.setServiceStatus(id, "UNSTABLE");
        clock.advance(longMs);
        expect(await service(id)).toMatchObject({ status: "UNSTABLE", ha_replicas: { replica_count: 1 } });
        emulator.setServiceStatus(id);
        expect((await service(id)).status).toBe("READY");
    });

    it("updateService changes a service", async () => {
        const { emulator, id, service, vpcId } = await startWithService();
        const size = { cpuMillis: 8000, memoryGbs: 32 };
        emulator.updateService(id, {
            name: "other",
            environment: "PROD",
            pooler: true,
            size,
            replicaCount: 2,
            syncReplicaCount: 1,
            vpcId,
        });
        expect(await service(id)).toMatchObject({
            name: "other",
            metadata: { environment: "PROD" },
            resources: [{ spec: { cpu_millis: 8000 } }],
            ha_replicas: { replica_count: 2, sync_replica_count: 1 },
            vpc_endpoint: { vpc_id: vpcId },
        });
        emulator.updateService(id, { size: "shared", pooler: false, vpcId: null });
        const changed = await service(id);
        expect(changed).toMatchObject({ name: "other", ha_replicas: { replica_count: 2 } });
        expect(changed).not.toHaveProperty("connection_pooler");
        expect(changed).not.toHaveProperty("vpc_endpoint");
    });

    it("deleteService deletes a service and its read replica sets", async () => {
        const { activeReplicaSet, api, emulator, id, project } = await startWithService();
        const set = await activeReplicaSet(id);
        emulator.deleteService(id);
        for (const gone of [id, set.id]) {
            expect((await api("GET", `${project}/services/${gone}`)).status).toBe(404);
        }
        expect(emulator.snapshot().counts).toMatchObject({
            services: { made: 1, removed: 1 },
            replicaSets: { made: 1, removed: 1 },
        });
    });

    it("a VPC can be renamed, and deleted with its peerings and attachments", async () => {
        const { api, emulator, id, project, service, vpcId } = await startWithService();
        emulator.updateService(id, { vpcId });
        emulator.updateVpc(vpcId, { name: "other" });
        await api("POST", `${project}/vpcs/${vpcId}/peerings`, newPeering);
        expect(emulator.snapshot()).toMatchObject({ vpcs: [{ name: "other" }], peerings: [{ vpc_id: vpcId }] });
        emulator.deleteVpc(vpcId);
        expect(emulator.snapshot()).toMatchObject({ vpcs: [], peerings: [] });
        expect(await service(id)).not.toHaveProperty("vpc_endpoint");
    });

    it("a peering can be failed, accepted and deleted", async () => {
        const { api, emulator, project, vpcId } = await startWithService();
        emulator.setPeeringFate("immediate");
        const { body } = await api<Wire["Peering"]>("POST", `${project}/vpcs/${vpcId}/peerings`, newPeering);
        expect(body.status).toBe("active");
        const get = () => api<Wire["Peering"]>("GET", `${project}/vpcs/${vpcId}/peerings/${body.id}`);
        emulator.failPeering(body.id, "Revoked.");
        expect((await get()).body).toMatchObject({ status: "failed", error_message: "Revoked." });
        emulator.acceptPeering(body.id);
        expect((await get()).body).toEqual(body);
        emulator.deletePeering(body.id);
        expect((await get()).status).toBe(404);
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
        expect(() => emulator.setDurations({ resise: 1 } as object)).toThrow("There is no duration resise.");
        expect(() => emulator.setDurations({ resize: -1 })).toThrow("resize must be a number of milliseconds from 0");
        emulator.reset();
        expect(emulator.durations().resize).toBe(2_000);
    });

    it("a property that is undefined in a patch stays as it is", async () => {
        const { emulator, id, vpcId } = await startWithService();
        emulator.setDurations({ resize: undefined } as object);
        emulator.updateVpc(vpcId, { name: undefined } as object);
        emulator.updateService(id, { name: undefined } as object);
        expect(emulator.durations().resize).toBe(2_000);
        expect(emulator.snapshot()).toMatchObject({ services: [{ name: "db" }], vpcs: [{ name: "net" }] });
        const other = await startWorld({ durations: { resize: undefined } as object });
        expect(other.emulator.durations().resize).toBe(2_000);
    });

    it("a reset restores the initial state and the sequence of ids", async () => {
        const { api, emulator, id, project, readyService, vpc, vpcId } = await startWithService();
        emulator.setPeeringFate("immediate");
        emulator.reset();
        expect(emulator.journal()).toEqual([]);
        expect(emulator.snapshot()).toMatchObject({
            services: [],
            vpcs: [],
            counts: { services: { made: 0, removed: 0 } },
        });
        expect((await readyService()).service_id).toBe(id);
        expect((await vpc()).id).toBe(vpcId);
        const { body } = await api<Wire["Peering"]>("POST", `${project}/vpcs/${vpcId}/peerings`, newPeering);
        expect(body.status).toBe("provisioning");
    });
});
