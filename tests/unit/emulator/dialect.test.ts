import { startEmulator, virtualClock, type EmulatorOptions } from "../../../emulator";
import { drawnRules, ruleNames } from "../../../emulator/dialect/dialect";
import { atEnd } from "../../support/atEnd";
import { requestTo } from "../../support/emulator";

/** An API in a dialect, with a service that runs. */
async function start(dialect: number | string, options: EmulatorOptions = {}) {
    const clock = virtualClock();
    const emulator = await startEmulator({ clock, seed: 1, dialect, ...options });
    atEnd(() => emulator.close());
    const send = (method: string, path: string, body?: object) =>
        requestTo(emulator, `${method} /v1/projects/${emulator.projectId}${path}`, body);
    const call = async (method: string, path: string, body?: object) =>
        JSON.parse((await send(method, path, body)).body) as never;
    const { id } = await emulator.createService({ name: "orders" });
    const service = async () => (await call("GET", `/services/${id}`)) as Record<string, unknown>;
    return { emulator, clock, id, send, call, service };
}

it.each<[rule: string, expected: object]>([
    ["regions-upper", { region_code: "US-EAST-1" }],
    ["times-offset", { created: expect.stringMatching(/T05:30:0\d\.\d{3}\+05:30$/) as unknown }],
    ["times-fraction", { created: expect.stringMatching(/\.\d{9}Z$/) as unknown }],
    ["times-offset,times-fraction", { created: expect.stringMatching(/\.\d{9}\+05:30$/) as unknown }],
    ["nulls", { forked_from: null, vpc_endpoint: null, vpcEndpoint: null, initial_password: null }],
    ["empties", { forked_from: {}, vpc_endpoint: {}, vpcEndpoint: {}, initial_password: "" }],
    ["empties,nulls", { forked_from: {}, initial_password: "" }],
    ["unknown-fields", { x_field_of_the_future: expect.anything() as unknown, metrics: expect.anything() as unknown }],
])("in the dialect %s, a service is described as %j", async (rule, expected) => {
    const { service } = await start(rule);
    expect(await service()).toMatchObject(expected);
});

it("optional fields are left out where their absence says the same, or nothing", async () => {
    const { id, call, clock, service } = await start("left-out");
    const optional = ["metadata", "ha_replicas", "read_replica_sets", "forked_from"];
    expect(Object.keys(await service()).filter((name) => optional.includes(name))).toEqual([]);
    expect(await service()).toMatchObject({ endpoint: {}, resources: [{ spec: { cpu_millis: 500 } }] });
    await call("POST", `/services/${id}/setHA`, { replica_count: 1 });
    clock.advance(60_000);
    expect(await service()).toMatchObject({ ha_replicas: { replica_count: 1 } });
    await call("POST", `/services/${id}/setEnvironment`, { environment: "PROD" });
    expect(await service()).toMatchObject({ metadata: { environment: "PROD" } });
});

it("fields have only their deprecated names", async () => {
    const { emulator, id, service } = await start("deprecated-only");
    const { id: vpcId } = await emulator.createVpc();
    emulator.updateService(id, { vpcId });
    const seen = await service();
    expect(seen).toMatchObject({ vpcEndpoint: { vpc_id: vpcId } });
    expect(seen).not.toHaveProperty("vpc_endpoint");
});

it("words of open enumerations are others", async () => {
    const { call, emulator, service } = await start("other-words");
    expect(await service()).toMatchObject({ status: "READY", service_type: "POSTGRES" });
    await emulator.createService({ addons: ["time-series"] });
    expect(await call("GET", "/services")).toMatchObject([{}, { service_type: "TIMESCALEDB", status: "READY" }]);
});

it("every second response has another order of resources, and logs keep theirs", async () => {
    const { call, emulator, id } = await start("lists-reordered");
    await emulator.createService({ name: "second" });
    const names = async () => ((await call("GET", "/services")) as { name: string }[]).map(({ name }) => name);
    expect([await names(), await names()].map((list) => list.indexOf("second")).sort()).toEqual([0, 1]);
    const logs = async () => ((await call("GET", `/services/${id}/logs`)) as { entries: unknown }).entries;
    expect(await logs()).toEqual(await logs());
});

const message = "The emulator returned 500 because of a fault.";

it.each([
    ["errors-without-code", "application/json", JSON.stringify({ message })],
    ["errors-array", "application/json", JSON.stringify({ errors: [{ message }] })],
    ["errors-text", "text/plain", message],
    ["errors-html", "text/html", `<html><body><h1>${message}</h1></body></html>`],
])("in the dialect %s, an error 5XX is %s, and others have the form of the contract", async (rule, type, body) => {
    const { id, send } = await start(`${rule},nulls`, { faults: ["getService:500"] });
    const response = await send("GET", `/services/${id}`);
    expect(response).toMatchObject({ status: 500, headers: { "content-type": type }, body });
    const { body: notFound } = await send("GET", "/services/aaaaaaaaaa");
    expect(Object.keys(JSON.parse(notFound) as object)).toEqual(["code", "message"]);
});

it("requests may have regions in any case, and the world keeps one form", async () => {
    for (const [rule, shown] of [
        ["regions-lower", "us-east-1"],
        ["regions-upper", "US-EAST-1"],
    ] as const) {
        const { call, emulator } = await start(rule);
        const body = { name: "net", cidr: "10.0.0.0/24", region_code: "Us-East-1" };
        expect(await call("POST", "/vpcs", body)).toMatchObject({ region_code: shown });
        expect(emulator.snapshot().vpcs).toMatchObject([{ region_code: "us-east-1" }]);
    }
});

it("lists of services contain replica sets", async () => {
    const { call, emulator, id } = await start("standbys-listed");
    await emulator.createReadReplicaSet(id);
    expect(await call("GET", "/services")).toMatchObject([{}, { forked_from: { is_standby: true, service_id: id } }]);
});

it("in the dialect strict, the API has the reference's operations, inputs and values only", async () => {
    const { emulator, id, send } = await start("strict");
    const { id: set } = await emulator.createReadReplicaSet(id);
    const statuses = await Promise.all([
        send("POST", `/services/${id}/rename`, { name: "new" }),
        send("POST", `/services/${id}/resize`, { cpu_millis: "shared", memory_gbs: "shared" }),
        send("POST", `/services/${id}/replicaSets/${set}/resize`, { cpu_millis: "500", memory_gbs: "2", nodes: 2 }),
        send("POST", `/services/${id}/replicaSets/${set}/resize`, { cpu_millis: "500", memory_gbs: "2" }),
        send("POST", `/services/${id}/resize`, { cpu_millis: "1000", memory_gbs: "4" }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([404, 400, 400, 202, 202]);
    // The HTTP server passes an empty body, which is none.
    const read = {
        method: "GET",
        path: "/v1/projects",
        headers: { authorization: `Bearer ${emulator.token}` },
        body: "",
    };
    expect((await emulator.handle(read)).status).toBe(200);
});

it("a seed draws rules, whose names reproduce the dialect", async () => {
    const dialects = await Promise.all([1, 2, 3, 4, 5, 1].map(async (seed) => (await start(seed)).emulator.dialect));
    expect(dialects[5]).toBe(dialects[0]);
    expect(new Set(dialects).size).toBeGreaterThan(3);
    const { emulator } = await start(dialects[0] ?? "");
    expect(emulator.dialect).toBe(dialects[0]);
    expect(ruleNames.filter((name) => !drawnRules.includes(name))).toEqual([
        "paused-locked",
        "unknown-values",
        "strict",
    ]);
});

it("a dialect changes nothing in the world: without it, the same requests lead to the same state", async () => {
    const worlds = [];
    for (const dialect of ["", drawnRules.join()]) {
        const { call, emulator, id } = await start(dialect);
        await emulator.createReadReplicaSet(id);
        await call("POST", `/services/${id}/rename`, { name: " New " });
        worlds.push(emulator.snapshot());
    }
    expect(worlds[1]).toEqual(worlds[0]);
});

it("an unknown rule is rejected, with the names of all", async () => {
    await expect(startEmulator({ dialect: "nulls,shouting" })).rejects.toThrow("dialect must be an integer, or names");
});
