import type { Wire } from "../../../emulator/wire";
import { sizeOf, startWorld } from "../../support/emulator";

const start = async (input: Partial<Wire["ServiceCreateInput"]> = {}) => {
    const world = await startWorld();
    const parent = await world.readyService(input);
    const path = `${world.project}/services/${parent.service_id}/forkService`;
    const fork = (body: object = { fork_strategy: "NOW" }) => world.api<Wire["Service"]>("POST", path, body);
    return { ...world, parent, fork };
};

it("a fork has the type, region and size of its parent, but not its replicas, pooler or environment", async () => {
    const { fork, parent } = await start({
        region_code: "eu-west-1",
        addons: ["time-series"],
        cpu_millis: "2000",
        memory_gbs: "8",
        replica_count: 2,
        environment_tag: "PROD",
    });
    const { status, body } = await fork();
    expect(status).toBe(202);
    expect(body).toMatchObject({
        name: "db-fork",
        status: "QUEUED",
        region_code: "eu-west-1",
        service_type: "TIMESERIESDB",
        ha_replicas: { replica_count: 0 },
        metadata: { environment: "DEV" },
        forked_from: { is_standby: false, project_id: parent.project_id, service_id: parent.service_id },
    });
    expect(sizeOf(body)).toMatchObject({ cpu_millis: 2000, memory_gbs: 8 });
    expect(body.initial_password).toMatch(/^\w{24}$/);
    expect(body.initial_password).not.toBe(parent.initial_password);
});

it("the CPU and the memory of a fork each have the value of its parent by default", async () => {
    const { fork, parent, emulator } = await start({ cpu_millis: "2000", memory_gbs: "8" });
    const half = await fork({ fork_strategy: "NOW", cpu_millis: "500" });
    expect(sizeOf(half.body)).toMatchObject({ cpu_millis: 500, memory_gbs: 8 });
    expect(sizeOf((await fork({ fork_strategy: "NOW", memory_gbs: "8" })).body)).toMatchObject({ cpu_millis: 2000 });
    emulator.updateService(parent.service_id, { size: "shared" });
    expect(await fork({ fork_strategy: "NOW", cpu_millis: "500" })).toMatchObject({ status: 400 });
});

it("a fork has a default name within the length limit", async () => {
    const { fork } = await start({ name: "n".repeat(128) });
    const { body } = await fork();
    expect(body.name).toHaveLength(128);
    expect(body.name).toMatch(/-fork$/);
});

it("a fork can be created from any time since the creation of its parent", async () => {
    const { clock, fork, parent } = await start();
    const { created } = parent;
    const ask = async (target_time: string) => (await fork({ fork_strategy: "PITR", target_time })).status;
    expect(await ask(created)).toBe(202);
    expect(await ask(new Date(clock.now()).toISOString())).toBe(202);
    expect(await ask(new Date(clock.now() + 1).toISOString())).toBe(400);
    expect(await ask(new Date(Date.parse(created) - 1).toISOString())).toBe(400);
});
