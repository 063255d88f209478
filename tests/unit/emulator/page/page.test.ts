import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../support/documents";
import { host, startWithPage as start } from "../../../support/page";

it("no part of the page uses HTML as text, which the library allows and the browser would reject", () => {
    const folder = join(root, "emulator", "page", "browser");
    const scripts = readdirSync(folder).filter((name) => /\.tsx?$/.test(name));
    expect(scripts.length).toBeGreaterThan(10);
    for (const name of scripts) {
        expect(readFileSync(join(folder, name), "utf8")).not.toMatch(/dangerouslySetInnerHTML|innerHTML/);
    }
});

it.each([
    ["POST /", 405],
    ["GET /_page", 404],
    ["GET /_page/../package.json", 404],
    ["GET /_page/other.js", 404],
    ["GET /_page/session", 405],
])("%s returns %i with the same headers", async (request, status) => {
    const { ask } = await start();
    const answer = await ask(request);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", "x-frame-options": "DENY" });
});

const foreign: [string, Record<string, string>][] = [
    ["a name that it resolves to this computer", { host: "attacker.example:8080" }],
    ["a name that only begins like this computer", { host: "127.0.0.1.attacker.example" }],
    ["a name that only ends like this computer", { host: "attacker.example@127.0.0.1" }],
    ["an address that is not loopback", { host: "0.0.0.0:8080" }],
    ["no name", { host: "" }],
    ["another origin", { origin: "https://attacker.example" }],
    ["another port of this computer", { origin: "http://127.0.0.1:3000" }],
    ["another scheme", { origin: `https://${host}` }],
    ["an origin that is hidden", { origin: "null" }],
    ["a request that the browser marks as cross-site", { "sec-fetch-site": "cross-site" }],
    ["a request from another port that the browser marks as same-site", { "sec-fetch-site": "same-site" }],
];
const requests = [
    "GET /",
    "GET /_page/page.js",
    "POST /_page/session",
    "GET /_page/news",
    "GET /_emulator/state",
    "POST /_emulator/reset",
    "GET /v1/projects",
];

it.each(foreign)("another website is rejected with %s", async (_, headers) => {
    const { ask, emulator } = await start();
    for (const request of requests) {
        const answer = await ask(request, {
            headers: { authorization: `Bearer ${emulator.token}`, ...headers },
            ...(request.startsWith("POST") && { body: {} }),
        });
        expect([request, answer.status]).toEqual([request, 403]);
        expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
    expect(emulator.journal()).toEqual([]);
});

it("another website receives no permission in a CORS preflight", async () => {
    const { ask } = await start();
    for (const path of ["/_page/session", "/_emulator/reset", "/v1/projects"]) {
        const headers = { origin: "https://attacker.example", "access-control-request-method": "POST" };
        const answer = await ask(`OPTIONS ${path}`, { headers });
        expect(answer.status).toBe(403);
        expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
    }
});

it("another website cannot open a session with a form, which needs no preflight", async () => {
    const { emulator } = await start();
    for (const type of ["text/plain", "application/x-www-form-urlencoded", undefined]) {
        const headers = { host, ...(type !== undefined && { "content-type": type }) };
        const answer = await emulator.handle({ method: "POST", path: "/_page/session", headers, body: "{}" });
        expect(answer.status).toBe(415);
    }
});

it("a session of the page requires the token if one is set", async () => {
    const { ask, session } = await start({ token: "canary-token" });
    for (const body of [{}, { token: "wrong" }, { token: "emulator-token" }, { token: "" }]) {
        const answer = await ask("POST /_page/session", { body });
        expect(answer.status).toBe(401);
        expect(answer.body).not.toContain("canary-token");
        // This header would make the browser show its own login dialog.
        expect(answer.headers).not.toHaveProperty("www-authenticate");
    }
    expect((await ask("GET /_page/news", { headers: await session("canary-token") })).status).toBe(200);
});

it("a session of the page is neither the token nor a cookie, and is invalid for another emulator", async () => {
    const first = await start({ token: "canary-token" });
    const opened = await first.ask("POST /_page/session", { body: { token: "canary-token" } });
    expect(opened.body).not.toContain("canary-token");
    expect(opened.headers).not.toHaveProperty("set-cookie");
    const second = await start({ token: "canary-token" });
    const headers = await first.session("canary-token");
    expect((await second.ask("GET /_page/news", { headers })).status).toBe(401);
});

it.each([...["GET /_page/news", "POST /_page/services/aaaaaaaaaa/credentials", "POST /_page/call"]])(
    "a session of the page is required for %s",
    async (request) => {
        const { ask, emulator } = await start({ token: "canary-token" });
        for (const authorization of [undefined, "Bearer wrong", `Bearer ${emulator.token}`]) {
            const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
            expect((await ask(request, { headers })).status).toBe(401);
        }
    },
);

it("a session of the page is valid for the controls but not for the API", async () => {
    const { ask, session } = await start({ token: "canary-token" });
    const headers = await session("canary-token");
    expect((await ask("GET /_emulator/state", { headers })).status).toBe(200);
    expect((await ask("GET /v1/projects", { headers })).status).toBe(401);
});

it("the password of a service is not shown after it was changed, and is deleted with the service and by a reset", async () => {
    const { api, ask, emulator, project, session, readyService } = await start();
    const headers = await session();
    const { service_id: id } = await readyService();
    const statusOfPassword = async () => (await ask(`POST /_page/services/${id}/credentials`, { headers })).status;
    expect(await statusOfPassword()).toBe(200);
    await api("POST", `${project}/services/${id}/updatePassword`, { password: "canary-4711" });
    expect(await statusOfPassword()).toBe(409);
    emulator.reset();
    expect(await statusOfPassword()).toBe(404);
    expect((await readyService()).service_id).toBe(id);
    emulator.deleteService(id);
    expect(await statusOfPassword()).toBe(404);
});

it("the page shows the last fatal line of a service that is UNSTABLE", async () => {
    const { api, emulator, project, readyService, shown } = await start();
    const { service_id: id } = await readyService();
    await api("POST", `${project}/services/${id}/stop`);
    emulator.setServiceStatus(id, "UNSTABLE");
    expect((await shown(id))?.problem).toMatch(/^terminating connection/);
});
