import type { Emulator, EmulatorResponse, FaultInput } from "../../../../emulator";
import type { Wire } from "../../../../emulator/wire";
import { longMs, newPeering, requestTo, startWorld } from "../../../support/emulator";

const start = async (...faults: FaultInput[]) => {
    const world = await startWorld({ faults });
    const raw = (method: string, path: string, body?: unknown) =>
        requestTo(world.emulator, `${method} /v1${world.project}${path}`, body);
    return { ...world, raw };
};

const servicesMade = (emulator: Emulator) => emulator.snapshot().counts.services.made;

it("an effect can be a function around the call, which the report names", async () => {
    const shout = async (_: unknown, carryOut: () => Promise<EmulatorResponse>) => {
        const response = await carryOut();
        return { ...response, body: response.body.toUpperCase() };
    };
    const { raw, emulator } = await start({ operation: "listServices", times: 1, effect: shout });
    await raw("POST", "/services", { name: "db" });
    const bodies = [(await raw("GET", "/services")).body, (await raw("GET", "/services")).body];
    expect(bodies.map((body) => body.includes('"NAME":"DB"'))).toEqual([true, false]);
    expect(emulator.faults()).toEqual([{ fault: "listServices#1x1:shout", hits: 1 }]);
});

it.each([
    ["503", "application/json", /^\{"code":"FAULT"/, 0],
    ["502,body=html", "text/html", /^<html>/, 0],
    ["500,body=empty", undefined, /^$/, 0],
    ["504,carriedOut", "application/json", /^\{"code":"FAULT"/, 1],
])(
    "a response with %s has the requested body, and creates as many services: %s, %s, %i",
    async (effect, type, body, made) => {
        const { raw, emulator } = await start(`createService:${effect}`);
        const answer = await raw("POST", "/services", { name: "db" });
        expect(answer.status).toBe(Number(effect.slice(0, 3)));
        expect(answer.headers["content-type"]).toBe(type);
        expect(answer.body).toMatch(body);
        expect(servicesMade(emulator)).toBe(made);
    },
);

it("a response in place of the real one can have a Retry-After header, in seconds or as a date by the clock of the emulator", async () => {
    const { raw, clock } = await start(
        "GET#1:429,retryAfterMs=1500",
        "GET#2:429,retryAfterMs=2000,retryAfterForm=date",
    );
    expect((await raw("GET", "/vpcs")).headers).toMatchObject({ "retry-after": "2" });
    const { "retry-after": after = "", date = "" } = (await raw("GET", "/vpcs")).headers;
    expect([Date.parse(date), Date.parse(after)]).toEqual([clock.now(), clock.now() + 2_000]);
});

it.each([
    ["before", 0],
    ["after", 1],
    ["middle", 1],
])("a connection that breaks %s is an error of an in-process caller, with %s created resources", async (when, made) => {
    const { raw, emulator } = await start(`createService:reset-${when}`);
    await expect(raw("POST", "/services", { name: "db" })).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(servicesMade(emulator)).toBe(made);
    expect(emulator.journal()).toMatchObject([{ operationId: "createService", status: undefined }]);
});

it.each(["malformed", "truncated"])("a response is not JSON, but the request was carried out: %s", async (effect) => {
    const { raw, emulator } = await start(`createService:${effect}`);
    const { status, body } = await raw("POST", "/services", { name: "db" });
    expect(status).toBe(202);
    expect(() => JSON.parse(body) as unknown).toThrow(SyntaxError);
    expect(servicesMade(emulator)).toBe(1);
});

it("an invalid response can contain unknown fields and values", async () => {
    const { raw, readyService } = await start("listServices:unknowns");
    await readyService();
    const [service] = JSON.parse((await raw("GET", "/services")).body) as [Wire["Service"]];
    expect(service).toMatchObject({ name: "db", x_field_of_the_future: {}, status: "VALUE_OF_THE_FUTURE" });
});

const second = "second-token";
const startTwo = async (...faults: FaultInput[]) => {
    const { emulator, project } = await startWorld({
        faults,
        callers: [{ token: second, projects: ["emulator01"] }],
    });
    const list = (token: string) =>
        requestTo(emulator, `GET /v1${project}/vpcs`, undefined, { authorization: `Bearer ${token}` });
    return { emulator, list };
};

it("a token expires in the middle of a run, other tokens stay valid, and so do the controls over HTTP", async () => {
    const { emulator, list } = await startTwo("listVpcs#2:tokenExpires");
    const statuses = [];
    for (const token of [emulator.token, emulator.token, emulator.token, second, emulator.token]) {
        statuses.push((await list(token)).status);
    }
    expect(statuses).toEqual([200, 401, 401, 200, 401]);
    expect(JSON.parse((await list(emulator.token)).body)).toHaveProperty("code", "UNAUTHENTICATED");
    expect((await requestTo(emulator, "GET /_emulator/faults")).status).toBe(200);
});

it.each(["clearFaults", "reset"] as const)("an expired token is valid again after %s", async (control) => {
    const { emulator, list } = await startTwo("listVpcs:tokenExpires");
    expect((await list(emulator.token)).status).toBe(401);
    emulator[control]();
    emulator.clearFaults();
    expect((await list(emulator.token)).status).toBe(200);
});

it("reads are stale for some time after a change", async () => {
    const { api, clock, project, vpc } = await start("createVpc:stale,ms=1000");
    const { id } = await vpc();
    expect((await api<unknown[]>("GET", `${project}/vpcs`)).body).toEqual([]);
    expect((await api("GET", `${project}/vpcs/${id}`)).status).toBe(404);
    clock.advance(1_000);
    expect((await api<unknown[]>("GET", `${project}/vpcs`)).body).toHaveLength(1);
});

it("a new resource is missing in lists for some time, although it can be read", async () => {
    const { api, clock, project, readyService } = await start("createService:unlisted,ms=100000");
    const { service_id: id } = await readyService();
    const list = async () => (await api<unknown[]>("GET", `${project}/services`)).body;
    expect(await list()).toEqual([]);
    expect((await api("GET", `${project}/services/${id}`)).status).toBe(200);
    clock.advance(100_000);
    expect(await list()).toHaveLength(1);
});

it("the status of a service or a read replica set can be overridden for some time, or until a control removes it", async () => {
    const { activeReplicaSet, api, clock, emulator, project, readyService, replicaSets, service } = await start(
        "createReplicaSet:status,status=error",
        "setHA:status,status=UNSTABLE,ms=90000",
    );
    const { service_id: id } = await readyService();
    const set = await activeReplicaSet(id);
    expect((await replicaSets(id))[0]?.status).toBe("error");
    emulator.setReplicaSetStatus(set.id);
    expect((await replicaSets(id))[0]?.status).toBe("active");
    await api("POST", `${project}/services/${id}/setHA`, { replica_count: 1 });
    clock.advance(longMs);
    expect((await service(id)).status).toBe("UNSTABLE");
    clock.advance(longMs);
    expect((await service(id)).status).toBe("READY");
});

it("the status of a peering can be a failure, permanently or for some time", async () => {
    const { api, clock, project, vpc } = await start(
        "createPeering#1:peeringFails,message=no route",
        "createPeering#2:peeringFails,ms=1000",
    );
    const { id } = await vpc();
    const path = `${project}/vpcs/${id}/peerings`;
    await api("POST", path, newPeering);
    await api("POST", path, newPeering);
    const peerings = async () => (await api<Wire["Peering"][]>("GET", path)).body;
    expect((await peerings()).map(({ status }) => status)).toEqual(["failed", "failed"]);
    expect((await peerings())[0]?.error_message).toBe("no route");
    clock.advance(longMs);
    const [failed, recovered] = await peerings();
    expect(failed?.status).toBe("failed");
    expect(recovered).toMatchObject({ status: "active", provisioned_id: expect.stringMatching(/^pcx-/) as string });
    expect(recovered).not.toHaveProperty("error_message");
});
