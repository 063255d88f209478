import type { EmulatorOptions } from "../../emulator";
import { startWorld } from "../support/emulator";
import { host, startWithPage as start } from "../support/page";

const files = ["GET /", "GET /_page/page.js", "GET /_page/style.css", "GET /_page/icon.svg", "GET /favicon.ico"];

describe("the files of the page", () => {
    it.each(files)("%s requires no token and is not cached", async (request) => {
        const { ask, emulator } = await start({ token: "canary-token" });
        const answer = await ask(request);
        expect(answer.status).toBe(200);
        expect(answer.headers["cache-control"]).toBe("no-store");
        expect(answer.body).not.toContain("canary-token");
        expect(emulator.journal()).toEqual([]);
    });

    it("the page has a content security policy that allows only its own files and no frames", async () => {
        const { ask } = await start();
        const { headers } = await ask("GET /?whatever");
        expect(headers).toMatchObject({
            "content-type": "text/html; charset=utf-8",
            "x-frame-options": "DENY",
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
        });
        const policy = (headers["content-security-policy"] ?? "").split("; ");
        expect(policy).toEqual(
            expect.arrayContaining([
                "default-src 'none'",
                "script-src 'self'",
                "frame-ancestors 'none'",
                "base-uri 'none'",
            ]),
        );
        expect(policy.join()).not.toContain("unsafe");
    });

    it("the page has no inline scripts, styles or event handlers", async () => {
        const { ask } = await start();
        const { body } = await ask("GET /");
        expect(body).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=|\sstyle=|javascript:/i);
        expect((await ask("GET /_page/page.js")).body).not.toMatch(
            /outerHTML|insertAdjacentHTML|document\.write|\beval\(|\bFunction\(/,
        );
    });
});

it.each<Record<string, string>>([
    { host },
    { host: "localhost:9000" },
    { host: "[::1]:8080" },
    { host: "127.0.0.1" },
    { host, origin: `http://${host}`, "sec-fetch-site": "same-origin" },
    { host: "localhost:9000", origin: "http://localhost:9000", "sec-fetch-site": "same-origin" },
    { host, "sec-fetch-site": "none" },
    { host, "sec-fetch-mode": "cors", "user-agent": "node" },
])("a client on this computer is accepted with %j", async (headers) => {
    const { ask, emulator } = await start();
    const authorization = `Bearer ${emulator.token}`;
    for (const request of ["GET /", "GET /_emulator/state", "GET /v1/projects"]) {
        expect((await ask(request, { headers: { ...headers, authorization } })).status).toBe(200);
    }
});

it("the password of a service is only in the response to its request", async () => {
    const { ask, emulator, session, readyService } = await start({ token: "canary-token" });
    const service = await readyService();
    const { service_id: id, initial_password: password = "" } = service;
    expect(password).not.toBe("");
    const headers = await session("canary-token");
    const others = [...files, "GET /_page/news", "GET /_emulator/state", "GET /_emulator/journal"];
    for (const request of others) {
        const { body, status } = await ask(request, { headers });
        expect(status).toBe(200);
        expect(body).not.toContain(password);
        expect(body).not.toContain("canary-token");
    }
    const answer = await ask(`POST /_page/services/${id}/credentials`, { headers });
    expect(answer.json()).toEqual({ password });
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect((await ask(`GET /_page/services/${id}/credentials`, { headers })).status).toBe(405);
    expect(JSON.stringify(emulator.journal())).not.toContain(password);
});

describe("an emulator that other computers reach", () => {
    const open = { host: "0.0.0.0", allowedHosts: ["emulator", ".Example.com"], token: "canary-token" };
    const statusWith = async (options: EmulatorOptions, headers: Record<string, string>, token = "canary-token") => {
        const { ask } = await start(options);
        const asked = ["GET /", "GET /_emulator/state", "GET /v1/projects"].map((request) =>
            ask(request, { headers: { authorization: `Bearer ${token}`, ...headers } }),
        );
        return [...new Set((await Promise.all(asked)).map(({ status }) => status))];
    };

    it.each<[string, number, EmulatorOptions?]>([
        ["emulator:8080", 200],
        ["EMULATOR", 200],
        ["example.com", 200],
        ["one.example.com:8080", 200],
        ["172.18.0.2:8080", 200],
        ["[fd00::1]:8080", 200],
        [host, 200],
        ["emulator", 200, { ...open, host: "127.0.0.1" }],
        ["172.18.0.2:8080", 403, { ...open, host: "127.0.0.1" }],
        ["emulator.attacker.example", 403],
        ["notexample.com", 403],
        ["example.com.attacker.example", 403],
        ["172.18.0.2.attacker.example", 403],
        ["attacker.example@172.18.0.2", 403],
        ["emulator:8080:1", 403],
        ["", 403],
        ["emulator", 403, { ...open, allowedHosts: [] }],
    ])("a request to the host %j returns %i", async (name, status, options = open) => {
        expect(await statusWith(options, { host: name })).toEqual([status]);
    });

    it("requests from other websites, and the default token, are rejected", async () => {
        const site = { host: "emulator:8080", origin: "http://attacker.example" };
        expect(await statusWith(open, site)).toEqual([403]);
        const authorization = "Bearer emulator-token";
        expect(await statusWith(open, { host: "emulator", authorization })).toEqual([200, 401]);
        expect((await (await start(open)).ask("POST /_page/session", { body: {} })).status).toBe(401);
    });

    it("its own address is one that its computer reaches", async () => {
        const { emulator } = await startWorld(open);
        expect(emulator.url).toBe(`http://127.0.0.1:${emulator.port}/v1`);
        expect((await fetch(new URL("/health", emulator.url))).status).toBe(200);
    });
});

it.each(["GET /health", "HEAD /health", "HEAD /"])(
    "%s requires no token, for a program that waits",
    async (request) => {
        const { ask, emulator } = await start({ token: "canary-token" });
        expect((await ask(request)).status).toBe(200);
        const [method = "", path] = request.split(" ");
        const response = await fetch(new URL(path ?? "", emulator.url), { method });
        expect([response.status, await response.text()]).toEqual([200, method === "HEAD" ? "" : '{"status":"ok"}']);
        expect(emulator.journal()).toEqual([]);
        expect((await ask(request, { headers: { host: "attacker.example" } })).status).toBe(403);
    },
);
