import { defaultDurations } from "../../../emulator";
import type { Wire } from "../../../emulator/wire";
import { longMs, startWorld, type TestWorld } from "../../support/emulator";

const durations = defaultDurations;

describe("new services", () => {
    it("a new service is QUEUED, then CONFIGURING, then READY", async () => {
        const { api, clock, project, service } = await startWorld();
        const { body } = await api<Wire["Service"]>("POST", `${project}/services`, { name: "db" });
        const status = async () => (await service(body.service_id)).status;
        expect(await status()).toBe("QUEUED");
        clock.advance(durations.queued - 1);
        expect(await status()).toBe("QUEUED");
        clock.advance(1);
        expect(await status()).toBe("CONFIGURING");
        clock.advance(durations.create - 1);
        expect(await status()).toBe("CONFIGURING");
        clock.advance(1);
        expect(await status()).toBe("READY");
    });

    it("a new service has an address when it is configured, and metrics when it is ready", async () => {
        const { api, clock, project, service } = await startWorld();
        const { body } = await api<Wire["Service"]>("POST", `${project}/services`, { name: "db" });
        expect(body).not.toHaveProperty("endpoint");
        clock.advance(durations.queued);
        expect((await service(body.service_id)).endpoint?.host).toMatch(/\.test$/);
        expect(await service(body.service_id)).not.toHaveProperty("metrics");
        clock.advance(durations.create);
        expect((await service(body.service_id)).metrics?.milli_cpu).toBeGreaterThan(0);
    });

    it("a new service is not visible to reads and lists during notFoundAfterCreate", async () => {
        const { api, clock, project } = await startWorld({ durations: { notFoundAfterCreate: 500 } });
        const { body } = await api<Wire["Service"]>("POST", `${project}/services`, { name: "db" });
        const path = `${project}/services`;
        expect((await api("GET", `${path}/${body.service_id}`)).status).toBe(404);
        expect((await api<unknown[]>("GET", path)).body).toEqual([]);
        clock.advance(500);
        expect((await api("GET", `${path}/${body.service_id}`)).status).toBe(200);
        expect((await api<unknown[]>("GET", path)).body).toHaveLength(1);
    });

    it("a new service is visible to reads but not to lists during notListedAfterCreate", async () => {
        const { api, clock, project } = await startWorld({ durations: { notListedAfterCreate: 500 } });
        const { body } = await api<Wire["Service"]>("POST", `${project}/services`, { name: "db" });
        const path = `${project}/services`;
        expect((await api("GET", `${path}/${body.service_id}`)).status).toBe(200);
        expect((await api<unknown[]>("GET", path)).body).toEqual([]);
        clock.advance(500);
        expect((await api<unknown[]>("GET", path)).body).toHaveLength(1);
    });

    it("a new service is ready earlier with a higher speed", async () => {
        const { api, clock, project, service } = await startWorld({ speed: 10 });
        const { body } = await api<Wire["Service"]>("POST", `${project}/services`, { name: "db" });
        clock.advance((durations.queued + durations.create) / 10);
        expect((await service(body.service_id)).status).toBe("READY");
    });
});

interface Change {
    operation: string;
    body: object;
    duration: number;
    seen: (service: Wire["Service"]) => unknown;
    before: unknown;
    after: unknown;
}

const changes: Change[] = [
    {
        operation: "resize",
        body: { cpu_millis: "4000", memory_gbs: "16" },
        duration: durations.resize,
        seen: (service) => service.resources[0]?.spec?.cpu_millis,
        before: 500,
        after: 4000,
    },
    {
        operation: "setHA",
        body: { replica_count: 1 },
        duration: durations.setHA,
        seen: (service) => service.ha_replicas?.replica_count,
        before: 0,
        after: 1,
    },
];

describe.each(changes)("$operation", ({ operation, body, duration, seen, before, after }) => {
    it(`${operation} returns CONFIGURING, and reads show READY with the old value, CONFIGURING with the old value, READY with the new value`, async () => {
        const { api, clock, project, readyService, service } = await startWorld();
        const { service_id: id } = await readyService();
        const now = async () => [(await service(id)).status, seen(await service(id))];
        const answer = await api<Wire["Service"]>("POST", `${project}/services/${id}/${operation}`, body);
        expect([answer.body.status, seen(answer.body)]).toEqual(["CONFIGURING", before]);
        expect(answer.body).not.toHaveProperty("metrics");
        expect(await now()).toEqual(["READY", before]);
        clock.advance(durations.staleRead - 1);
        expect(await now()).toEqual(["READY", before]);
        clock.advance(1);
        expect(await now()).toEqual(["CONFIGURING", before]);
        clock.advance(duration - 1);
        expect(await now()).toEqual(["CONFIGURING", before]);
        clock.advance(1);
        expect(await now()).toEqual(["READY", after]);
    });
});

it("attaching and detaching also take time", async () => {
    const { api, clock, project, readyService, service, vpc } = await startWorld();
    const { service_id: id } = await readyService();
    const { id: vpcId } = await vpc();
    expect((await api("POST", `${project}/services/${id}/attachToVPC`, { vpc_id: vpcId })).status).toBe(202);
    clock.advance(durations.staleRead);
    expect(await service(id)).toMatchObject({ status: "CONFIGURING" });
    expect(await service(id)).not.toHaveProperty("vpc_endpoint");
    clock.advance(durations.vpcChange);
    const attached = await service(id);
    expect(attached.vpc_endpoint).toMatchObject({ vpc_id: vpcId });
    expect(attached).toHaveProperty("vpcEndpoint", attached.vpc_endpoint);
    expect((await api("POST", `${project}/services/${id}/detachFromVPC`, { vpc_id: vpcId })).status).toBe(202);
    expect(await service(id)).toHaveProperty("vpc_endpoint");
    clock.advance(durations.staleRead + durations.vpcChange);
    expect(await service(id)).not.toHaveProperty("vpc_endpoint");
});

it("stopService changes the status to PAUSING and PAUSED, and startService to RESUMING and READY", async () => {
    const { api, clock, project, readyService, service } = await startWorld();
    const { service_id: id } = await readyService();
    const post = async (what: string) =>
        (await api<Wire["Service"]>("POST", `${project}/services/${id}/${what}`)).body.status;
    expect(await post("stop")).toBe("PAUSING");
    clock.advance(durations.stop);
    expect((await service(id)).status).toBe("PAUSED");
    expect(await post("start")).toBe("RESUMING");
    clock.advance(durations.start);
    expect((await service(id)).status).toBe("READY");
});

it("a deleted service has the status DELETING, and then reads return 404", async () => {
    const { api, clock, project, readyService, service } = await startWorld();
    const { service_id: id } = await readyService();
    expect((await api("DELETE", `${project}/services/${id}`)).status).toBe(202);
    expect((await service(id)).status).toBe("DELETING");
    clock.advance(durations.delete);
    expect((await api("GET", `${project}/services/${id}`)).status).toBe(404);
    expect((await api("DELETE", `${project}/services/${id}`)).status).toBe(404);
});

it("overdue steps are carried out with their own times and in order", async () => {
    const { api, clock, project, readyService } = await startWorld();
    const { service_id: id } = await readyService();
    await api("POST", `${project}/services/${id}/stop`);
    const stopped = clock.now() + durations.stop;
    clock.advance(longMs);
    const { body } = await api<Wire["ServiceLogsResponse"]>("GET", `${project}/services/${id}/logs`);
    expect(body.entries?.[0]).toMatchObject({
        message: "database system is shut down",
        timestamp: new Date(stopped).toISOString(),
    });
});

/** All requests that change a service, with their bodies. */
const requests: [name: string, method: string, path: string, body?: object][] = [
    ["resize", "POST", "/resize", { cpu_millis: "1000", memory_gbs: "4" }],
    ["setHA", "POST", "/setHA", { replica_count: 1 }],
    ["attachToVPC", "POST", "/attachToVPC", { vpc_id: "VPC" }],
    ["detachFromVPC", "POST", "/detachFromVPC", { vpc_id: "VPC" }],
    ["forkService", "POST", "/forkService", { fork_strategy: "NOW" }],
    ["createReplicaSet", "POST", "/replicaSets", { name: "r", nodes: 1, cpu_millis: 500, memory_gbs: 2 }],
    ["stop", "POST", "/stop"],
    ["start", "POST", "/start"],
    ["enablePooler", "POST", "/enablePooler"],
    ["disablePooler", "POST", "/disablePooler"],
    ["setEnvironment", "POST", "/setEnvironment", { environment: "PROD" }],
    ["rename", "POST", "/rename", { name: "other" }],
    ["updatePassword", "POST", "/updatePassword", { password: "long enough" }],
    ["delete", "DELETE", ""],
];

const ask = async ({ api, project, vpc }: TestWorld, id: string, request: (typeof requests)[number]) => {
    const [, method, path, body] = request;
    const text = body && JSON.stringify(body);
    const withVpc = text?.includes("VPC") ? text.replace("VPC", (await vpc()).id) : text;
    return api(method, `${project}/services/${id}${path}`, withVpc);
};

describe.each(requests)("while a service changes, %s", (...request) => {
    it.each([
        ["while reads are stale", 0],
        ["later", durations.staleRead],
    ])(`while a service changes, ${request[0]} is rejected with 409 (%s)`, async (_, after) => {
        const world = await startWorld();
        const { service_id: id } = await world.readyService();
        await world.api("POST", `${world.project}/services/${id}/setHA`, { replica_count: 2 });
        world.clock.advance(after);
        const answer = await ask(world, id, request);
        expect(answer.status).toBe(409);
        expect(answer.body.message).toContain("busy");
    });
});

describe("paused services", () => {
    const refused = ["resize", "setHA", "attachToVPC", "forkService", "createReplicaSet", "stop"];

    it.each(requests.filter(([name]) => refused.includes(name)))("a paused service rejects %s", async (...request) => {
        const world = await startWorld();
        const { service_id: id } = await world.readyService();
        await world.api("POST", `${world.project}/services/${id}/stop`);
        world.clock.advance(longMs);
        const answer = await ask(world, id, request);
        expect(answer.status).toBe(409);
        expect(answer.body.message).toContain("PAUSED");
    });

    it.each(requests.filter(([name]) => !refused.includes(name) && name !== "detachFromVPC"))(
        "a paused service accepts %s",
        async (...request) => {
            const world = await startWorld();
            const { service_id: id } = await world.readyService();
            await world.api("POST", `${world.project}/services/${id}/stop`);
            world.clock.advance(longMs);
            expect((await ask(world, id, request)).status).toBeLessThan(300);
        },
    );

    it("a paused service can be detached from a VPC and stays paused", async () => {
        const { api, clock, project, readyService, service, vpc } = await startWorld();
        const { service_id: id } = await readyService();
        const body = { vpc_id: (await vpc()).id };
        for (const [path, input] of [["attachToVPC", body], ["stop"], ["detachFromVPC", body]] as const) {
            expect((await api("POST", `${project}/services/${id}/${path}`, input)).status).toBe(202);
            clock.advance(longMs);
        }
        expect((await service(id)).status).toBe("PAUSED");
        expect(await service(id)).not.toHaveProperty("vpc_endpoint");
    });
});

it("a running service rejects start", async () => {
    const { api, project, readyService } = await startWorld();
    const { service_id: id } = await readyService();
    const answer = await api("POST", `${project}/services/${id}/start`);
    expect(answer.status).toBe(409);
    expect(answer.body.message).toContain("READY");
});
