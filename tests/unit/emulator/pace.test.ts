import type { Message, Secret } from "../../../emulator/page/messages";
import { startWorld } from "../../support/emulator";

/** A world, and what its page shows. */
const start = async () => {
    const world = await startWorld({ durations: { queued: 1_000, create: 9_000, resize: 10_000, staleRead: 0 } });
    const { emulator } = world;
    const ask = async (method: string, path: string, body?: unknown, authorization = `Bearer ${emulator.token}`) => {
        const headers = { authorization, ...(body !== undefined && { "content-type": "application/json" }) };
        const request = { method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
        const { body: text, status } = await emulator.handle(request);
        return { status, body: (text === "" ? undefined : JSON.parse(text)) as unknown };
    };
    const { session } = (await ask("POST", "/_page/session", {})).body as Secret<"session">;
    const call = (path: string, body?: unknown) =>
        ask("POST", "/_page/call", { method: "POST", path, body }, `Bearer ${session}`);
    const shown = async (id: string) => {
        const news = (await ask("GET", "/_page/news", undefined, `Bearer ${session}`)).body as Message;
        return news.resources.find((one) => one.id === id);
    };
    return { ...world, ask, call, shown, session };
};

describe("the speed of an emulator", () => {
    it("a new speed divides the durations and the remaining time of changes in progress", async () => {
        const { api, ask, clock, emulator, project, service } = await start();
        const { body: db } = await api<{ service_id: string }>("POST", `${project}/services`, { name: "db" });
        clock.advance(2_000);
        expect((await ask("PUT", "/_emulator/speed", { speed: 10 })).status).toBe(204);
        expect((await ask("GET", "/_emulator/speed")).body).toEqual({ speed: 10 });
        clock.advance(799);
        expect((await service(db.service_id)).status).toBe("CONFIGURING");
        clock.advance(1);
        expect((await service(db.service_id)).status).toBe("READY");
        await api("POST", `${project}/services/${db.service_id}/resize`, { cpu_millis: "1000", memory_gbs: "4" });
        clock.advance(1_000);
        expect((await service(db.service_id)).status).toBe("READY");
        emulator.reset();
        expect(emulator.speed()).toBe(1);
    });

    it.each([0, -1])("a speed of %d is rejected", async (speed) => {
        const { ask, emulator } = await start();
        expect((await ask("PUT", "/_emulator/speed", { speed })).status).toBe(400);
        expect(emulator.speed()).toBe(1);
    });

    it("finish completes the changes in progress of one resource", async () => {
        const { ask, api, project, service } = await start();
        const ids = [];
        for (const name of ["a", "b"]) {
            ids.push((await api<{ service_id: string }>("POST", `${project}/services`, { name })).body.service_id);
        }
        const [a = "", b = ""] = ids;
        expect((await ask("POST", `/_emulator/finish/${a}`)).status).toBe(204);
        expect([(await service(a)).status, (await service(b)).status]).toEqual(["READY", "QUEUED"]);
        expect(await ask("POST", "/_emulator/finish/nosuchone1")).toMatchObject({ status: 404 });
    });
});

describe("drift", () => {
    it("a change without the API is drift until the program sets its own value", async () => {
        const { api, clock, emulator, project, readyService, shown } = await start();
        const { service_id: id } = await readyService();
        emulator.updateService(id, { size: { cpuMillis: 4000, memoryGbs: 16 }, environment: "PROD" });
        const size = {
            property: "size",
            declared: { cpuMillis: 500, memoryGbs: 2 },
            now: { cpuMillis: 4000, memoryGbs: 16 },
        };
        const environment = { property: "environment", declared: "DEV", now: "PROD" };
        expect((await shown(id))?.drift).toEqual([environment, size]);
        await api("POST", `${project}/services/${id}/resize`, { cpu_millis: "500", memory_gbs: "2" });
        expect((await shown(id))?.drift).toEqual([environment]);
        clock.advance(60_000);
        await api("POST", `${project}/services/${id}/setEnvironment`, { environment: "DEV" });
        expect(await shown(id)).not.toHaveProperty("drift");
    });

    it("a request of the page is drift, and also its end, but not one of the program", async () => {
        const { api, call, project, readyService, shown } = await start();
        const { service_id: id } = await readyService();
        await api("POST", `${project}/services/${id}/rename`, { name: "by-program" });
        expect(await shown(id)).not.toHaveProperty("drift");
        const answer = await call(`${project}/services/${id}/stop`);
        expect(answer).toMatchObject({ status: 200, body: { status: 202 } });
        expect((await shown(id))?.drift).toEqual([{ property: "paused", declared: false, now: true }]);
    });

    it("the page gets the error of the API, no secret, and no response if a fault breaks the connection", async () => {
        const { call, emulator, project, ask, session } = await start();
        expect((await call(`${project}/services`, {})).body).toMatchObject({ status: 400 });
        expect(JSON.stringify(await call(`${project}/services`, { name: "db" }))).toContain('"[redacted]"');
        expect(await ask("POST", "/_page/call", {}, `Bearer ${session}`)).toMatchObject({ status: 400 });
        emulator.addFaults(["createService:reset-after"]);
        expect((await call(`${project}/services`, { name: "lost" })).body).toEqual({});
        expect(emulator.snapshot().services).toHaveLength(2);
        expect((await ask("POST", "/_page/call", { method: "POST", path: `${project}/services` })).status).toBe(401);
    });
});

describe("what the page shows of a resource", () => {
    it("a service keeps its earlier statuses, and a deleted one until the next 50 deletions", async () => {
        const { clock, emulator, readyService, shown, ask, session } = await start();
        const createdAt = clock.now();
        const { service_id: id } = await readyService();
        expect(await shown(id)).toMatchObject({
            value: { status: "READY" },
            statuses: [
                { status: "QUEUED", at: createdAt },
                { status: "CONFIGURING", at: createdAt + 1_000 },
                { status: "READY", at: createdAt + 10_000 },
            ],
        });
        emulator.setServiceStatus(id, "UNSTABLE");
        expect(await shown(id)).toMatchObject({ isByHand: true, statuses: [{}, {}, {}, { status: "UNSTABLE" }] });
        emulator.deleteService(id);
        const removed = async () =>
            ((await ask("GET", "/_page/news", undefined, `Bearer ${session}`)).body as Message).removed;
        expect(await removed()).toMatchObject([{ id, name: "db", removedAt: clock.now() }]);
        for (let index = 0; index < 50; index++) {
            emulator.deleteService((await readyService()).service_id);
        }
        expect((await removed()).map((one) => one.id)).not.toContain(id);
    });

    it("a status that a fault has set was not set by hand", async () => {
        const { api, emulator, project, readyService, shown } = await start();
        const { service_id: id } = await readyService();
        emulator.addFaults(["renameService:status,status=UNSTABLE"]);
        await api("POST", `${project}/services/${id}/rename`, { name: "other" });
        expect(await shown(id)).toMatchObject({ value: { status: "UNSTABLE" } });
        expect(await shown(id)).not.toHaveProperty("isByHand");
    });
});
