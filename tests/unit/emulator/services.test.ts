import { defaultDurations as durations, type EmulatorOptions } from "../../../emulator";
import type { Wire } from "../../../emulator/wire";
import { sizeOf, startWorld } from "../../support/emulator";

const create = async (input: Partial<Wire["ServiceCreateInput"]> = {}, options: EmulatorOptions = {}) => {
    const { api, project } = await startWorld(options);
    return (await api<Wire["Service"]>("POST", `${project}/services`, { name: "db", ...input })).body;
};

it("a new service has the documented defaults", async () => {
    const service = await create();
    expect(service).toMatchObject({
        name: "db",
        status: "QUEUED",
        service_type: "POSTGRES",
        region_code: "us-east-1",
        metadata: { environment: "DEV" },
        ha_replicas: { replica_count: 0, sync_replica_count: 0 },
    });
    expect(service.service_id).toMatch(/^[a-z0-9]{10}$/);
    expect(sizeOf(service)).toMatchObject({ cpu_millis: 500, memory_gbs: 2 });
    expect(service).not.toHaveProperty("connection_pooler");
    expect(service).not.toHaveProperty("vpc_endpoint");
    expect(service).not.toHaveProperty("forked_from");
});

it.each([
    ["no addon", [], "POSTGRES"],
    ["time-series", ["time-series"], "TIMESERIESDB"],
    ["both addons", ["ai", "time-series"], "TIMESERIESDB"],
    ["ai alone", ["ai"], "VECTOR"],
] as const)("a new service has the type of %s", async (_, addons, type) => {
    expect((await create({ addons: [...addons] })).service_type).toBe(type);
});

it("a new service has the smallest size by default, and no CPU and memory of its own if it is shared", async () => {
    expect(sizeOf(await create({}))).toMatchObject({ cpu_millis: 500, memory_gbs: 2 });
    expect(sizeOf(await create({ memory_gbs: "2" }))).toMatchObject({ cpu_millis: 500, memory_gbs: 2 });
    const shared = { cpu_millis: "shared", memory_gbs: "shared" };
    expect(sizeOf(await create(shared))).toEqual({ volume_type: "gp3" });
});

it("a new service has its password only in the response to its creation", async () => {
    const { emulator, api, project, readyService, service } = await startWorld();
    const { service_id, initial_password = "" } = await readyService();
    expect(initial_password).toMatch(/^[A-Za-z0-9]{24}$/);
    expect(emulator.passwordMatches(service_id, initial_password)).toBe(true);
    const list = await api<Wire["Service"][]>("GET", `${project}/services`);
    const shown = [await service(service_id), list.body, emulator.snapshot(), emulator.journal()];
    expect(JSON.stringify(shown)).not.toContain(initial_password);
});

it("a new service has the same id and password with the same seed", async () => {
    const one = await create({}, { seed: 7 });
    expect(await create({}, { seed: 7 })).toEqual(one);
    expect((await create({}, { seed: 8 })).service_id).not.toBe(one.service_id);
});

describe("the usage of a service", () => {
    const cpuOf = ({ milli_cpu: cpu }: Wire["Metrics"]) => cpu;
    const usageOf = async (
        seed: number,
        input: Partial<Wire["ServiceCreateInput"]> = {},
        options: EmulatorOptions = {},
    ) => {
        const { clock, readyService, service } = await startWorld({ seed, ...options });
        const { service_id: id } = await readyService(input);
        const shown = [(await service(id)).metrics ?? {}];
        for (let minute = 1; minute <= 3; minute++) {
            clock.advance(60_000);
            shown.push((await service(id)).metrics ?? {});
        }
        return shown;
    };

    it("is the same with the same seed at the same time, and changes each minute", async () => {
        const shown = await usageOf(7);
        expect(await usageOf(7)).toEqual(shown);
        expect(await usageOf(8)).not.toEqual(shown);
        expect(new Set(shown.map((one) => JSON.stringify(one))).size).toBe(4);
        const stored = shown.map(({ storage_mb: one = NaN }) => one);
        expect(stored).toEqual([...stored].sort((a, b) => a - b));
    });

    it("also differs between services whose ids have another form", async () => {
        const dialect = "ids-other";
        expect((await usageOf(7, {}, { dialect })).map(cpuOf)).not.toEqual(
            (await usageOf(8, {}, { dialect })).map(cpuOf),
        );
    });

    it.each([
        [{ cpu_millis: "shared", memory_gbs: "shared" }, 500, 2],
        [{ cpu_millis: "4000", memory_gbs: "16" }, 4000, 16],
    ])("is less than its size, in whole numbers: %j", async (input, cpuMillis, memoryGbs) => {
        for (const { milli_cpu: cpu = NaN, memory_mb: memory = NaN, storage_mb: storage } of await usageOf(1, input)) {
            expect([cpu > 0 && cpu < cpuMillis, memory > 0 && memory < memoryGbs * 1024]).toEqual([true, true]);
            expect([cpu, memory, storage].every(Number.isInteger)).toBe(true);
        }
    });
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
