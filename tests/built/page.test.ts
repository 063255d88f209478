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
    const others = [
        ...files,
        "GET /_page/news",
        `GET /_page/services/${id}/logs`,
        "GET /_emulator/state",
        "GET /_emulator/journal",
    ];
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
