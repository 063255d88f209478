import { defaultDurations } from "../../../emulator";
import type { Wire } from "../../../emulator/wire";
import { longMs, startWorld } from "../../support/emulator";

const input = { name: "readers", nodes: 2, cpu_millis: 500, memory_gbs: 2 };

const start = async () => {
    const world = await startWorld();
    const service = await world.readyService({ environment_tag: "PROD" });
    const path = `${world.project}/services/${service.service_id}/replicaSets`;
    const list = () => world.replicaSets(service.service_id);
    return { ...world, path, list, serviceId: service.service_id };
};

it("a read replica set keeps the number of nodes that a resize leaves out, and rejects another change meanwhile", async () => {
    const { api, activeReplicaSet, clock, list, path, serviceId } = await start();
    const { id } = await activeReplicaSet(serviceId);
    const resize = (size: object) => api("POST", `${path}/${id}/resize`, size);
    await resize({ cpu_millis: "1000", memory_gbs: "4", nodes: 3 });
    expect((await resize({ cpu_millis: "500", memory_gbs: "2" })).status).toBe(409);
    clock.advance(longMs);
    await resize({ cpu_millis: "500", memory_gbs: "2" });
    clock.advance(longMs);
    expect((await list())[0]).toMatchObject({ cpu_millis: 500, nodes: 3 });
});

it("a read replica set has the status deleting until it is gone, and its service cannot be deleted before", async () => {
    const { activeReplicaSet, api, clock, list, path, project, serviceId } = await start();
    const { id } = await activeReplicaSet(serviceId);
    const removeService = () => api("DELETE", `${project}/services/${serviceId}`);
    expect((await removeService()).body.message).toContain(id);
    expect((await api("DELETE", `${path}/${id}`)).status).toBe(202);
    expect((await list())[0]?.status).toBe("deleting");
    expect((await removeService()).status).toBe(409);
    clock.advance(defaultDurations.replicaSetDelete);
    expect(await list()).toEqual([]);
    expect((await api("DELETE", `${path}/${id}`)).status).toBe(404);
    expect((await removeService()).status).toBe(202);
});

it("a read replica set cannot be created from a new fork before its first backup", async () => {
    const { api, clock, project, serviceId } = await start();
    const { body: fork } = await api<Wire["Service"]>("POST", `${project}/services/${serviceId}/forkService`, {
        fork_strategy: "NOW",
    });
    const make = () => api("POST", `${project}/services/${fork.service_id}/replicaSets`, input);
    clock.advance(defaultDurations.queued + defaultDurations.fork);
    const early = await make();
    expect(early.status).toBe(409);
    expect(early.body.message).toContain("backup");
    clock.advance(defaultDurations.firstBackup);
    expect((await make()).status).toBe(202);
});

it("a read replica set is read as a standby of its service, only in its list of sets, and rejects other operations", async () => {
    const { activeReplicaSet, api, list, project, service, serviceId } = await start();
    const { id } = await activeReplicaSet(serviceId);
    expect(await service(id)).toMatchObject({
        service_id: id,
        name: "readers",
        status: "READY",
        forked_from: { is_standby: true, service_id: serviceId },
    });
    expect((await service(serviceId)).read_replica_sets).toEqual(await list());
    const { body } = await api<Wire["Service"][]>("GET", `${project}/services`);
    expect(body.map(({ service_id }) => service_id)).toEqual([serviceId]);
    const stopped = await api("POST", `${project}/services/${id}/stop`);
    expect(stopped.status).toBe(404);
    expect(stopped.body.message).toContain(serviceId);
    expect((await api("POST", `${project}/services/${id}/replicaSets`, input)).status).toBe(409);
});
