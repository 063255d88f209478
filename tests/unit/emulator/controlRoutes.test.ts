import type { Wire } from "../../../emulator/wire";
import { newPeering, requestTo, startWithService, startWorld } from "../../support/emulator";

const control = async (
    { emulator }: Pick<Awaited<ReturnType<typeof startWithService>>, "emulator">,
    request: string,
    body?: unknown,
    token = emulator.token,
) => {
    const answer = await requestTo(emulator, request.replace(" ", " /_emulator"), body, {
        authorization: `Bearer ${token}`,
    });
    return { status: answer.status, body: (answer.body ? JSON.parse(answer.body) : undefined) as unknown };
};

it("the controls over HTTP return the state and the journal, and are not in the journal", async () => {
    const world = await startWithService();
    expect((await control(world, "GET /state")).body).toEqual(JSON.parse(JSON.stringify(world.emulator.snapshot())));
    expect((await control(world, "GET /journal")).body).toEqual(JSON.parse(JSON.stringify(world.emulator.journal())));
    expect((await control(world, "DELETE /journal")).status).toBe(204);
    expect(world.emulator.journal()).toEqual([]);
});

it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
    "the controls over HTTP reject a field with the name %s like any other unknown one",
    async (name) => {
        const world = await startWithService();
        const body = `{ ${JSON.stringify(name)}: 1 }`;
        for (const request of ["PATCH /durations", "PUT /rate", `PATCH /services/${world.id}`, "POST /clock"]) {
            expect([request, (await control(world, request, body)).status]).toEqual([request, 400]);
        }
        expect(await control(world, "POST /faults", { faults: [`GET:503,${name}=1`] })).toMatchObject({
            status: 400,
            body: { message: expect.stringContaining(name) as string },
        });
        expect((await control(world, `POST /${name}`)).status).toBe(404);
        expect(() => {
            world.emulator.setDurations(JSON.parse(body) as object);
        }).toThrow(name);
    },
);

it("the controls over HTTP have the same effect as the functions", async () => {
    const world = await startWithService();
    const { activeReplicaSet, api, emulator, id, project, service, vpcId } = world;
    const done = async (request: string, body?: unknown) =>
        expect(await control(world, request, body)).toMatchObject({ status: 204 });
    await done("PUT /peerings", { mode: "acceptance" });
    const made = (await api<Wire["Peering"]>("POST", `${project}/vpcs/${vpcId}/peerings`, newPeering)).body;
    await done(`POST /peerings/${made.id}/accept`);
    expect(emulator.snapshot().peerings[0]?.status).toBe("active");
    await done(`POST /peerings/${made.id}/fail`, { message: "No." });
    expect(emulator.snapshot().peerings[0]?.error_message).toBe("No.");
    await done(`DELETE /peerings/${made.id}`);
    await done("PUT /peerings", { fail: "Never." });
    await done(`PUT /services/${id}/status`, { status: "UNSTABLE", forMs: 10 });
    expect((await service(id)).status).toBe("UNSTABLE");
    await done("POST /clock", { ms: 10 });
    await done(`PUT /services/${id}/status`);
    await done(`PATCH /services/${id}`, { size: "shared", replicaCount: 1, vpcId: null });
    expect((await service(id)).ha_replicas?.replica_count).toBe(1);
    await done(`POST /services/${id}/logs`, { lines: 3 });
    expect(await control(world, `POST /services/${id}/password`, { password: "no" })).toEqual({
        status: 200,
        body: { matches: false },
    });
    const set = await activeReplicaSet(id);
    await done(`PATCH /replicaSets/${set.id}`, { name: "other", nodes: 5, environment: "PROD", pooler: true });
    await done(`PUT /replicaSets/${set.id}/status`, { status: "error" });
    const changed = { name: "other", nodes: 5, cpu_millis: 500, metadata: { environment: "PROD" } };
    expect((await service(id)).read_replica_sets).toMatchObject([{ ...changed, status: "error" }]);
    await done(`PUT /replicaSets/${set.id}/status`);
    expect((await service(id)).read_replica_sets).toMatchObject([{ ...changed, status: "active" }]);
    await done(`DELETE /replicaSets/${set.id}`);
    await done(`PATCH /vpcs/${vpcId}`, { name: "other" });
    await done(`DELETE /vpcs/${vpcId}`);
    await done(`DELETE /services/${id}`);
    await done("POST /faults", { faults: ["GET:503", { method: "POST", effect: { kind: "omit" } }, "GET:502"] });
    await done("POST /faults/remove", { fault: "GET:502" });
    const active = ["GET:503", "POST:omit"].map((fault) => ({ fault, hits: 0 }));
    expect((await control(world, "GET /faults")).body).toEqual(active);
    await done("DELETE /faults");
    expect(emulator.faults()).toEqual([]);
    await done("PUT /rate", { perSecond: 5 });
    await done("PATCH /durations", { resize: 7 });
    expect((await control(world, "GET /durations")).body).toMatchObject({ resize: 7, create: 3_000 });
    await done("POST /reset");
    expect(emulator.snapshot().counts.services.made).toBe(0);
});

it.each([
    ["an unknown path", "GET /nothing", undefined, 404, "/journal"],
    ["an unknown id", "DELETE /services/aaaaaaaaaa", undefined, 404, "aaaaaaaaaa"],
    ["an unknown peering", "POST /peerings/1/accept", undefined, 404, "peering"],
    ["an unknown fault", "POST /faults/remove", { fault: "POST:503" }, 404, "POST:503"],
    ["a body that is not JSON", "POST /clock", "{", 400, "JSON"],
    ["a body that is not an object", "POST /clock", [], 400, "object"],
    ["a missing field", "POST /clock", {}, 400, "required"],
    ["a field of the wrong type", "POST /clock", { ms: "1" }, 400, "number"],
    ["an unknown field", "PATCH /services/aaaaaaaaaa", { status: "READY" }, 400, "status"],
    ["an unknown duration", "PATCH /durations", { resise: 1 }, 400, "resize?"],
    ["a negative duration", "PATCH /durations", { resize: -1 }, 400, "resize"],
    ["an invalid fault", "POST /faults", { faults: ["GET:never"] }, 400, "never"],
    ["a rate of zero", "PUT /rate", { perSecond: 0 }, 400, "above"],
    ["an unknown mode", "PUT /peerings", { mode: "maybe" }, 400, "acceptance"],
])("the controls over HTTP reject %s", async (_, request, body, status, message) => {
    const answer = await control(await startWorld(), request, body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ message: expect.stringContaining(message) as string });
});

it("the controls over HTTP accept only the token of the first caller", async () => {
    const world = await startWorld({ callers: [{ token: "other" }] });
    for (const token of ["other", "wrong"]) {
        expect((await control(world, "GET /state", undefined, token)).status).toBe(401);
    }
});

it("the controls over HTTP cannot advance a real clock", async () => {
    const answer = await control(await startWorld({ clock: { now: () => Date.now() } }), "POST /clock", { ms: 1 });
    expect(answer.status).toBe(409);
});
