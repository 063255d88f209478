import { startEmulator, virtualClock, type EmulatorOptions } from "../../../emulator";
import { drawnRules } from "../../../emulator/dialect/dialect";
import { rules } from "../../../emulator/dialect/rules";
import type { Wire } from "../../../emulator/wire";
import { atEnd } from "../../support/atEnd";
import { describedOperations, responseViolation } from "../../support/described";
import { newPeering, requestTo } from "../../support/emulator";

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
    ["environments-lower", { metadata: { environment: "dev" } }],
    ["times-offset", { created: expect.stringMatching(/T05:30:0\d\.\d{3}\+05:30$/) as unknown }],
    ["times-fraction", { created: expect.stringMatching(/\.\d{9}Z$/) as unknown }],
    ["times-offset,times-fraction", { created: expect.stringMatching(/\.\d{9}\+05:30$/) as unknown }],
    ["nulls", { forked_from: null, vpc_endpoint: null, vpcEndpoint: null, initial_password: null }],
    ["empties", { forked_from: {}, vpc_endpoint: {}, vpcEndpoint: {}, initial_password: "" }],
    ["empties,nulls", { forked_from: {}, initial_password: "" }],
    ["Service.connection_pooler:zero", { connection_pooler: { endpoint: { host: "", port: 0 } } }],
    ["Service.forked_from:zero", { forked_from: { project_id: "", service_id: "", is_standby: false } }],
    ["Service.forked_from:empty", { forked_from: {} }],
    ["further-fields", { x_field_of_the_future: expect.anything() as unknown, metrics: expect.anything() as unknown }],
])("in the dialect %s, a service is described as %j", async (rule, expected) => {
    const { service } = await start(rule);
    expect(await service()).toMatchObject(expected);
});

/** The different forms of a value in many answers. */
async function formsOf<T>(times: number, read: () => Promise<T>): Promise<T[]> {
    const found = new Map<string, T>();
    for (let time = 0; time < times; time += 1) {
        const one = await read();
        found.set(JSON.stringify(one), one);
    }
    return [...found.values()];
}

it("a member is left out only while the world has what its absence means", async () => {
    const { id, call, clock, emulator, service } = await start(
        "Service.ha_replicas:absent,ServiceMetadata.environment:absent,ResourceSpec.cpu_millis:absent,Service.vpc_endpoint:absent",
    );
    const before = await service();
    expect(Object.keys(before)).not.toContain("ha_replicas");
    expect(before).toMatchObject({ metadata: {}, resources: [{ spec: { cpu_millis: 500 } }] });
    await call("POST", `/services/${id}/setHA`, { replica_count: 1 });
    clock.advance(60_000);
    await call("POST", `/services/${id}/setEnvironment`, { environment: "PROD" });
    const { id: vpcId } = await emulator.createVpc();
    emulator.updateService(id, { vpcId, size: "shared" });
    const after = await formsOf(9, service);
    expect(after).toHaveLength(1);
    expect(after[0]).toMatchObject({
        ha_replicas: { replica_count: 1 },
        metadata: { environment: "PROD" },
        vpc_endpoint: { vpc_id: vpcId },
        vpcEndpoint: { vpc_id: vpcId },
    });
    expect(JSON.stringify(after)).not.toContain("cpu_millis");
});

it("a member whose absence means nothing is left out of some answers, with its other name", async () => {
    const { call, emulator, id, service } = await start(
        "VPCEndpoint.vpc_id:empty,VPCEndpoint.host:absent,VPCEndpoint.port:absent,Service.endpoint:empty,Service.region_code:empty,Service.status:word,Resource.spec:absent",
    );
    const { id: vpcId } = await emulator.createVpc();
    emulator.updateService(id, { vpcId });
    const forms = (await formsOf(60, service)) as unknown as (Wire["Service"] & Record<string, unknown>)[];
    const of = (get: (one: Wire["Service"]) => unknown) => new Set(forms.map((one) => JSON.stringify(get(one))));
    expect(of((one) => one.vpc_endpoint?.vpc_id)).toEqual(new Set([`"${vpcId}"`, '""']));
    expect(
        forms.filter(
            (one) =>
                JSON.stringify(one.vpc_endpoint) !==
                JSON.stringify(Object.entries(one).find(([name]) => name === "vpcEndpoint")?.[1]),
        ),
    ).toEqual([]);
    expect(of((one) => one.region_code)).toEqual(new Set(['"us-east-1"', '""']));
    expect(of((one) => one.status)).toEqual(new Set(['"READY"', '"VALUE_OF_THE_FUTURE"']));
    expect(of((one) => one.resources[0]?.spec === undefined)).toEqual(new Set(["true", "false"]));
    // Without any part, it would mean that there is no VPC.
    expect(forms.filter(({ vpc_endpoint: one }) => !one?.host && !one?.port && !one?.vpc_id)).toEqual([]);
    expect(await call("GET", "/vpcs")).toMatchObject([{ id: vpcId }]);
});

it.each<[rules: string, members: string]>([
    ["Error.code:absent", "message,details"],
    ["Error.message:absent", "code,details"],
    ["Error.code:absent,Error.message:absent", "details"],
])("with %s, each error has only %s", async (rules, members) => {
    const { send } = await start(`${rules},further-fields`);
    const forms = await formsOf(60, async () =>
        Object.keys(JSON.parse((await send("GET", "/services/a")).body) as object),
    );
    expect(new Set(forms.map((names) => names.filter((name) => !name.startsWith("x_")).join()))).toEqual(
        new Set([members]),
    );
});

const details = { details: "These are the details of the emulator." };
it.each<[rules: string, error: object]>([
    ["Error.code:absent", { message: "The emulator returned 500 because of a fault." }],
    ["Error.message:absent", { code: "FAULT" }],
    ["Error.code:absent,Error.message:absent", {}],
    ["further-fields", { code: "FAULT", message: "The emulator returned 500 because of a fault.", ...details }],
])("a seed can draw %s, with which some errors 5XX are %j", async (rules, error) => {
    expect(rules.split(",").filter((rule) => !drawnRules.includes(rule))).toEqual([]);
    const { emulator, send } = await start(rules);
    emulator.addFaults(["*#1+:500"]);
    const forms = await formsOf(60, async () => JSON.parse((await send("GET", "/services")).body) as Wire["Error"]);
    const described = forms.map(({ code, message, details: more }) => ({ code, message, details: more }));
    expect(described).toContainEqual(error);
});

it("a member with two names has only the deprecated one", async () => {
    expect(drawnRules).toContain("deprecated-only");
    const { emulator, id, service } = await start("deprecated-only");
    const { id: vpcId } = await emulator.createVpc();
    emulator.updateService(id, { vpcId });
    const { vpcEndpoint, ...others } = await service();
    expect(vpcEndpoint).toMatchObject({ vpc_id: vpcId });
    expect(Object.keys(others)).not.toContain("vpc_endpoint");
});

it("each answer in a dialect that a seed draws is in the published description, apart from words and zeros of its enumerations", async () => {
    const words = drawnRules.filter((rule) => rule.endsWith(":word") || rule === "final-words" || rule === "nulls");
    const rules = drawnRules.filter((rule) => !words.includes(rule));
    const { call, clock, emulator, id, send } = await start(rules.join());
    const { id: vpcId } = await emulator.createVpc();
    await call("POST", `/vpcs/${vpcId}/peerings`, newPeering);
    await emulator.createReadReplicaSet(id);
    emulator.updateService(id, { vpcId, pooler: true });
    const paths = [
        "/services",
        `/services/${id}`,
        "/vpcs",
        `/vpcs/${vpcId}/peerings`,
        `/services/${id}/replicaSets`,
        "/services/a",
    ];
    for (const path of Array.from({ length: 20 }, () => paths).flat()) {
        clock.advance(100);
        const { status, body } = await send("GET", path);
        const { operationId } = emulator.journal().at(-1) ?? {};
        const problem = operationId && responseViolation(describedOperations[operationId], status, JSON.parse(body));
        expect([path, problem]).toEqual([path, undefined]);
    }
});

it("words of open enumerations are others", async () => {
    const { call, emulator, service } = await start("other-words");
    expect(await service()).toMatchObject({ status: "READY", service_type: "POSTGRES" });
    await emulator.createService({ addons: ["time-series"] });
    expect(await call("GET", "/services")).toMatchObject([{}, { service_type: "TIMESCALEDB", status: "READY" }]);
});

it("what is unstable has failed in final words", async () => {
    const { emulator, id, service } = await start("final-words");
    emulator.setServiceStatus(id, "UNSTABLE");
    expect(await service()).toMatchObject({ status: "FAILED" });
});

it("every second response has another order of resources, and logs keep theirs", async () => {
    const { call, emulator, id } = await start("lists-reordered");
    await emulator.createService({ name: "second" });
    const names = async () => ((await call("GET", "/services")) as { name: string }[]).map(({ name }) => name);
    expect([await names(), await names()].map((list) => list.indexOf("second")).sort()).toEqual([0, 1]);
    const logs = async () => ((await call("GET", `/services/${id}/logs`)) as { entries: unknown }).entries;
    expect(await logs()).toEqual(await logs());
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

it.each(["strict", "nulls,Service.resources:empty", 7])(
    "an API in the dialect %s answers over HTTP",
    async (dialect) => {
        const { emulator, id } = await start(dialect);
        const response = await fetch(`${emulator.url}/projects/${emulator.projectId}/services/${id}`, {
            headers: { authorization: `Bearer ${emulator.token}` },
        });
        expect([response.status, await response.json()]).toMatchObject([200, { service_id: id }]);
    },
);

it("a seed draws rules, whose names reproduce the dialect", async () => {
    const dialects = await Promise.all([1, 2, 3, 4, 5, 1].map(async (seed) => (await start(seed)).emulator.dialect));
    expect(dialects[5]).toBe(dialects[0]);
    expect(new Set(dialects).size).toBeGreaterThan(3);
    const { emulator } = await start(dialects[0] ?? "");
    expect(emulator.dialect).toBe(dialects[0]);
    expect(Object.keys(rules).filter((name) => !drawnRules.includes(name))).toEqual([
        "paused-locked",
        "limits",
        "vpc-endpoint-only",
        "sizes-hidden",
        "paused-sizeless",
        "ids-other",
        "statuses-other",
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
