import type { Wire } from "../../../../emulator/wire";
import { shownEntries } from "../../../../emulator/page/messages";
import { longMs, newPeering } from "../../../support/emulator";
import { startWithPage as start } from "../../../support/page";

it("the page reads everything, with changed faults and another speed, and no number of a request twice", async () => {
    const { api, emulator, news } = await start({ faults: ["createVpc:503"] });
    await api("GET", "/projects");
    expect(await news()).toMatchObject({
        about: { isVirtualClock: true },
        resources: [{ kind: "projects", id: emulator.projectId }],
        journal: [{ number: 0 }],
        faults: [{ fault: "createVpc:503" }],
        speed: 1,
    });
    emulator.clearFaults();
    emulator.clearJournal();
    emulator.setSpeed(5);
    expect(await news()).toMatchObject({ journal: [], faults: [], speed: 5 });
    await api("GET", "/projects");
    expect((await news()).journal).toMatchObject([{ number: 1 }]);
});

it("the page reads each status of a service with its time, the next one, and those of the last 50 deleted services", async () => {
    const { api, clock, emulator, news, project, readyService, shown } = await start();
    const at = clock.now();
    const { service_id: id } = (await api<Wire["Service"]>("POST", `${project}/services`, { name: "db" })).body;
    const queued = { status: "QUEUED", at };
    const configuring = { status: "CONFIGURING", at: at + 1_000 };
    expect(await shown(id)).toMatchObject({ statuses: [queued], next: configuring });
    clock.advance(longMs);
    // The status has the time of the step, although there was no access since then.
    const statuses = [queued, configuring, { status: "READY", at: at + 4_000 }];
    expect(await shown(id)).toMatchObject({ value: { status: "READY" }, statuses });
    emulator.setServiceStatus(id, "UNSTABLE");
    const unstable = { status: "UNSTABLE", at: clock.now() };
    expect(await shown(id)).toMatchObject({ isByHand: true, statuses: [...statuses, unstable] });
    emulator.setServiceStatus(id);
    expect(await shown(id)).toMatchObject({ value: { status: "READY" }, statuses });
    await api("POST", `${project}/services/${id}/stop`);
    const pausing = { status: "PAUSING", at: clock.now() };
    expect(await shown(id)).toMatchObject({ statuses: [...statuses, pausing], next: { status: "PAUSED" } });
    clock.advance(longMs);
    await api("POST", `${project}/services/${id}/start`);
    expect(await shown(id)).toMatchObject({ value: { status: "RESUMING" }, next: { status: "READY" } });
    emulator.deleteService(id);
    expect((await news()).removed).toMatchObject([{ id, name: "db", removedAt: clock.now() }]);
    for (let index = 0; index < 50; index++) {
        emulator.deleteService((await readyService()).service_id);
    }
    expect((await news()).removed.map((one) => one.id)).not.toContain(id);
});

it("a status that a fault has set was not set by hand", async () => {
    const { api, emulator, project, readyService, shown } = await start();
    const { service_id: id } = await readyService();
    emulator.addFaults(["renameService:status,status=UNSTABLE"]);
    await api("POST", `${project}/services/${id}/rename`, { name: "other" });
    expect(await shown(id)).toMatchObject({ value: { status: "UNSTABLE" } });
    expect(await shown(id)).not.toHaveProperty("isByHand");
});

it("the page reads VPCs, peerings and read replica sets, and nothing of what was deleted", async () => {
    const { activeReplicaSet, api, clock, emulator, news, project, readyService, shown, vpc } = await start();
    const [{ service_id }, { id: vpcId }] = [await readyService(), await vpc()];
    emulator.setPeeringFate("acceptance");
    const { body: peering } = await api<Wire["Peering"]>("POST", `${project}/vpcs/${vpcId}/peerings`, newPeering);
    const { id: setId } = await activeReplicaSet(service_id);
    expect(await shown(vpcId)).toMatchObject({ kind: "vpcs", value: { project_id: emulator.projectId } });
    expect(await shown(peering.id)).toMatchObject({ value: { vpc_id: vpcId, status: "pending acceptance" } });
    expect(await shown(setId)).toMatchObject({ kind: "replicaSets", value: { service_id, status: "active" } });
    emulator.acceptPeering(peering.id);
    const active = { status: "active", at: clock.now() };
    expect(await shown(peering.id)).toMatchObject({ value: { status: "active" }, statuses: [{}, {}, active] });
    emulator.deleteReplicaSet(setId);
    emulator.deleteVpc(vpcId);
    await api("DELETE", `${project}/services/${service_id}`);
    expect((await news()).resources.map(({ kind }) => kind)).toEqual(["projects", "services"]);
    clock.advance(longMs);
    expect((await news()).resources.map(({ kind }) => kind)).toEqual(["projects"]);
});

it("the page reads changes among many reads, and at most as many requests as it shows", async () => {
    const { api, news, project, vpc } = await start();
    await vpc();
    for (let index = 0; index < shownEntries + 10; index++) {
        await api("GET", `${project}/vpcs`);
    }
    const { journal } = await news();
    expect(journal).toHaveLength(shownEntries + 1);
    expect(journal.slice(0, 2)).toMatchObject([{ number: 0 }, { number: 11 }]);
});
