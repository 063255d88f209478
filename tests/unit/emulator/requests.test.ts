import { Journal } from "../../../emulator/journal";
import { requestTo, startWorld } from "../../support/emulator";

it.each([
    ["a path without an operation", "GET", "/nothing", 404],
    ["a method that a path does not have", "PUT", "/projects/emulator01/vpcs", 405],
    ["a path with an invalid encoding", "GET", "/projects/%zz/vpcs", 400],
    ["an unknown query parameter", "GET", "/projects?page=2", 400],
])("%s returns an error in the format of the contract", async (_, method, path, status) => {
    const { api } = await startWorld();
    const answer = await api(method, path);
    expect(answer.status).toBe(status);
    expect(typeof answer.body.code).toBe("string");
    expect(answer.body.message).toMatch(/\.$/);
    expect(answer.headers.allow).toBe(status === 405 ? "GET, POST" : undefined);
});

it.each([
    ["a missing body", "/services", undefined, "requires a JSON body"],
    ["a body that is not JSON", "/services", "{", "not JSON"],
    ["a body that is not an object", "/services", [1], "must be object"],
])("the emulator rejects %s with 400 and names the problem", async (_, path, body, message) => {
    const { api, project } = await startWorld();
    const answer = await api("POST", `${project}${path}`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(message);
});

it("the emulator rejects a body with another content type with 415", async () => {
    const { emulator } = await startWorld();
    const path = "/v1/projects/emulator01/services";
    const answer = await requestTo(emulator, `POST ${path}`, { name: "db" }, { "content-type": "text/plain" });
    expect(answer.status).toBe(415);
});

it("a failure of the emulator returns 500 in the same format, and only the log contains the reason", async () => {
    const lines: string[] = [];
    const { api } = await startWorld({
        log: (line) => lines.push(line),
        intercept: () => Promise.reject(new Error("broken")),
    });
    const answer = await api("GET", "/projects");
    expect(answer.status).toBe(500);
    expect(answer.body.message).not.toContain("broken");
    expect(lines.join()).toContain("broken");
});

it("the journal contains every request of the API in order, with status, request id and user agent", async () => {
    const { emulator, api, project } = await startWorld();
    const headers = { "User-Agent": "tests/1", "X-Request-Id": "abc" };
    const answer = await requestTo(emulator, "GET /v1/projects", undefined, headers);
    expect(answer.headers["x-request-id"]).toBe("abc");
    await api("POST", `${project}/services`, { name: "db" });
    await api("GET", "/nothing");
    const entries = emulator.journal();
    expect(entries.map(({ operationId, status }) => [operationId, status])).toEqual([
        ["listProjects", 200],
        ["createService", 202],
        [undefined, 404],
    ]);
    expect(entries[0]).toMatchObject({ requestId: "abc", userAgent: "tests/1" });
    expect(entries[1]).toMatchObject({ method: "POST", path: `/v1${project}/services`, body: { name: "db" } });
    emulator.clearJournal();
    expect(emulator.journal()).toEqual([]);
});

it.each([
    ["a password", { password: "canary-4711" }],
    ["a password under a misspelt name", { pasword: "canary-4711" }],
    ["a password of the wrong type", { password: ["canary-4711"] }],
    ["a body that is not JSON", '{"password": "canary-4711'],
    ["a body that is a string", '"canary-4711"'],
])("the journal never contains %s", async (_, body) => {
    const lines: string[] = [];
    const { emulator, api, project, readyService } = await startWorld({ log: (line) => lines.push(line) });
    const { service_id } = await readyService();
    for (const authorization of [`Bearer ${emulator.token}`, "Bearer wrong"]) {
        await api("POST", `${project}/services/${service_id}/updatePassword`, body, authorization);
    }
    expect(emulator.journal()).toHaveLength(3);
    expect(JSON.stringify([emulator.journal(), emulator.snapshot(), lines])).not.toMatch(/canary-4711|emulator-token/);
});

it("the journal has the response, its duration and no secret of it", async () => {
    const { clock, emulator, api, project } = await startWorld({
        intercept: async (_, carryOut) => {
            clock.advance(250);
            return carryOut();
        },
    });
    await api("POST", `${project}/services`, { name: "db" });
    await api("POST", `${project}/services`, { name: 1 });
    const [made, refused] = emulator.journal();
    expect(made).toMatchObject({ durationMs: 250, response: { name: "db", initial_password: "[redacted]" } });
    expect(refused).toMatchObject({ status: 400, response: { message: expect.any(String) as string } });
});

it("the journal keeps no body of an unauthenticated request and only the length of a long one", async () => {
    const { emulator, api, project } = await startWorld();
    const long = { name: "x".repeat(30_000) };
    await api("POST", `${project}/services`, long, "Bearer wrong");
    await api("POST", `${project}/services`, long);
    expect(emulator.journal().map(({ body }) => body)).toEqual([undefined, "[30011 characters]"]);
});

it("the journal drops its oldest entries when their texts are too long together", () => {
    const journal = new Journal();
    const text = JSON.stringify({ name: "x".repeat(19_000) });
    for (let at = 0; at < 3_000; at++) {
        const recording = { at, method: "POST", path: "/v1", operationId: undefined, status: 200, requestId: "id" };
        const added = { ...recording, userAgent: undefined, takesSecret: false };
        journal.add(added);
        journal.keep(added, "sent", text);
    }
    const entries = journal.entries();
    expect(entries.length).toBeGreaterThan(2_000);
    expect(entries.length).toBeLessThan(2_700);
    expect(entries.at(-1)?.at).toBe(2_999);
});

it("the journal and the log contain no value of an unknown query parameter", async () => {
    const lines: string[] = [];
    const { emulator, api, project } = await startWorld({ log: (line) => lines.push(line) });
    await api("GET", `${project}/services/abcdefghij/logs?search=boot&access_token=canary-4711`);
    await api("GET", `${project}/services?password=canary-4711&flag`);
    expect(emulator.journal().map(({ path }) => path.replace(/.*\//, ""))).toEqual([
        "logs?search=boot&access_token=[redacted]",
        "services?password=[redacted]&flag",
    ]);
    expect(lines.join()).not.toContain("canary");
});
