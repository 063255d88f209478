import { startWithPage } from "../../support/page";

/** A world, and what its page shows. */
const start = async () => {
    const world = await startWithPage({ durations: { queued: 1_000, create: 9_000, resize: 10_000, staleRead: 0 } });
    const { ask, emulator, session } = world;
    const control = (request: string, body?: unknown) =>
        ask(request, { headers: { authorization: `Bearer ${emulator.token}` }, ...(body !== undefined && { body }) });
    /** The response of the page to a request for a call. */
    const call = async (path: string, body?: unknown) => {
        const answer = await ask("POST /_page/call", {
            headers: await session(),
            body: { method: "POST", path, body },
        });
        return { status: answer.status, body: answer.json() };
    };
    return { ...world, call, control };
};

it("a new speed divides the durations and the remaining time of changes in progress", async () => {
    const { api, clock, control, emulator, project, service } = await start();
    const { body: db } = await api<{ service_id: string }>("POST", `${project}/services`, { name: "db" });
    clock.advance(2_000);
    expect((await control("PUT /_emulator/speed", { speed: 10 })).status).toBe(204);
    expect((await control("GET /_emulator/speed")).json()).toEqual({ speed: 10 });
    clock.advance(799);
    expect((await service(db.service_id)).status).toBe("CONFIGURING");
    clock.advance(1);
    expect((await service(db.service_id)).status).toBe("READY");
    await api("POST", `${project}/services/${db.service_id}/resize`, { cpu_millis: "1000", memory_gbs: "4" });
    clock.advance(1_000);
    expect((await service(db.service_id)).status).toBe("READY");
    emulator.reset();
    for (const speed of [0, -1]) {
        expect((await control("PUT /_emulator/speed", { speed })).status).toBe(400);
    }
    expect(emulator.speed()).toBe(1);
});

it("finish completes the changes in progress of one resource", async () => {
    const { api, control, project, service } = await start();
    const begin = async (name: string) =>
        (await api<{ service_id: string }>("POST", `${project}/services`, { name })).body.service_id;
    const [a, b] = [await begin("a"), await begin("b")];
    expect((await control(`POST /_emulator/finish/${a}`)).status).toBe(204);
    expect([(await service(a)).status, (await service(b)).status]).toEqual(["READY", "QUEUED"]);
    expect(await control("POST /_emulator/finish/nosuchone1")).toMatchObject({ status: 404 });
});

it("a change without the API is drift until the program sets its own value", async () => {
    const { api, clock, emulator, project, readyService, shown } = await start();
    const { service_id: id } = await readyService();
    const declared = { cpuMillis: 500, memoryGbs: 2 };
    const now = { cpuMillis: 4000, memoryGbs: 16 };
    emulator.updateService(id, { size: now, environment: "PROD" });
    const environment = { property: "environment", declared: "DEV", now: "PROD" };
    expect((await shown(id))?.drift).toEqual([environment, { property: "size", declared, now }]);
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
    expect(await call(`${project}/services/${id}/stop`)).toMatchObject({ status: 200, body: { status: 202 } });
    expect((await shown(id))?.drift).toEqual([{ property: "paused", declared: false, now: true }]);
});

it("the page gets the error of the API, no secret, and no response if a fault breaks the connection", async () => {
    const { ask, call, emulator, project, session } = await start();
    expect((await call(`${project}/services`, {})).body).toMatchObject({ status: 400 });
    expect(JSON.stringify(await call(`${project}/services`, { name: "db" }))).toContain('"[redacted]"');
    expect(await ask("POST /_page/call", { headers: await session(), body: {} })).toMatchObject({ status: 400 });
    emulator.addFaults(["createService:reset-after"]);
    expect((await call(`${project}/services`, { name: "lost" })).body).toEqual({});
    expect(emulator.snapshot().services).toHaveLength(2);
});
