import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { EmulatorStartError, startEmulator } from "../../../emulator";
import { startWorld } from "../../support/emulator";

const authorization = "Bearer emulator-token";

it("the HTTP server returns the same responses as the emulator in-process", async () => {
    const { emulator, api, project } = await startWorld();
    const made = await fetch(`${emulator.url}${project}/services`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ name: "dätabase" }),
    });
    expect(made.status).toBe(202);
    expect(made.headers.get("content-type")).toBe("application/json");
    expect(made.headers.get("x-request-id")).toMatch(/.{36}/);
    const listed = await fetch(`${emulator.url}${project}/services`, { headers: { authorization } });
    const text = await listed.text();
    expect(JSON.parse(text)).toEqual((await api("GET", `${project}/services`)).body);
    expect(text).toContain("dätabase");
});

it("a client that disconnects during its request causes no internal error", async () => {
    const lines: string[] = [];
    const { emulator } = await startWorld({ log: (line) => lines.push(line) });
    const socket = connect(emulator.port, "127.0.0.1");
    await once(socket, "connect");
    const head = "POST /v1/projects/emulator01/services HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nhalf";
    await new Promise((resolve) => socket.write(head, resolve));
    socket.destroy();
    expect((await fetch(`${emulator.url}/projects`, { headers: { authorization } })).status).toBe(200);
    expect(lines).toEqual(["GET /v1/projects 200"]);
});

it("the HTTP server rejects a body that is too long with 413 and closes the connection", async () => {
    const { emulator, project } = await startWorld();
    const sent = request(`${emulator.url}${project}/services`, { method: "POST", headers: { authorization } });
    // The server may close the connection while the rest is sent.
    sent.on("error", () => undefined);
    sent.write("x".repeat(1024 * 1024 + 1));
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    answer.resume();
    expect([answer.statusCode, answer.headers.connection]).toEqual([413, "close"]);
});

it("the HTTP server closes immediately despite open connections", async () => {
    const { emulator } = await startWorld();
    await (await fetch(`${emulator.url}/projects`, { headers: { authorization } })).text();
    await emulator.close();
    await expect(fetch(`${emulator.url}/projects`)).rejects.toThrow();
});

it("the start of the HTTP server fails if the port is in use", async () => {
    const { emulator } = await startWorld();
    const failure = await startEmulator({ port: emulator.port }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EmulatorStartError);
    expect(failure).toHaveProperty("failure", "port-in-use");
});
