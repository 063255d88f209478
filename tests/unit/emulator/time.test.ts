import { defaultDurations } from "../../../emulator";
import type { Wire } from "../../../emulator/wire";
import { longMs, startWorld } from "../../support/emulator";

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
