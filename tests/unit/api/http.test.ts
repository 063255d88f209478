import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { AxiosError, type AxiosAdapter } from "axios";
import { Client } from "../../../provider/api/client";
import { Http, type HttpRequest } from "../../../provider/api/http";
import {
    ApiError,
    CancelledInFlight,
    CloudDbError,
    ConnectionError,
    InvalidResponseError,
    isFromElsewhere,
} from "../../../provider/api/callErrors";
import { ServerClock } from "../../../provider/api/clock";
import { version } from "../../../provider/api/version.gen";
import { getVpc, leaksOf, failureOf, token, withPassword, withSource, withToken } from "../../support/client";
import { fateOf, TestClock } from "../../support/virtualClock";
import { json, serve } from "../../support/loopback";
import { newFolder } from "../../support/folder";

afterEach(() => jest.restoreAllMocks());

const post: HttpRequest = { operation: "createVpc", method: "POST", path: "/projects/p/vpcs", body: { name: "net" } };

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;

/** A system error of Node. */
const systemError = (code: string, syscall?: string) =>
    Object.assign(new Error(`${syscall ?? "something"} ${code}`), { code, syscall });

/** The error for a host with several addresses contains the error of each address. */
const atEach = (...errors: readonly Error[]) =>
    Object.assign(new AggregateError(errors, `${errors.length} addresses failed`), { code: "ENETUNREACH" });

it("a request has the token, the version of the package and its own id", async () => {
    const { url, received } = await serve((response) => json(response, 200, {}));
    const http = new Http(withToken(url));
    const [first, second] = [await http.send(getVpc), await http.send(getVpc)];
    const [one, two] = received;
    expect(one?.url).toBe("/v1/projects/p/vpcs/1");
    expect(one?.headers).toMatchObject({
        authorization: `Bearer ${token}`,
        accept: "application/json",
        "user-agent": `pulumi-clouddb/${version} node/${process.versions.node}`,
        "x-request-id": first.call.requestId,
    });
    expect(two?.headers["x-request-id"]).toBe(second.call.requestId);
    expect(first.call.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.call.requestId).not.toBe(second.call.requestId);
});

describe("a redirect", () => {
    it.each([
        { from: "", to: "https://api.example.com/v2" },
        { from: getVpc.path, to: "https://login.example.com" },
    ])("of an address that has never been valid names the target, and is final: to $to", async ({ from, to }) => {
        const location = `${to}${from === "" ? getVpc.path : ""}?state=s3cret`;
        const { url, received } = await serve((response) => response.writeHead(301, { location }).end());
        const client = new Client(withToken(url));
        const path = { project_id: "p", vpc_id: "1" };
        const error = await failureOf(client.call("getVpc", { path }, {}), InvalidResponseError);
        expect(error.message).toContain(`a redirect to ${location.split("?")[0] ?? ""}`);
        expect(error.message).toContain("Address: check that clouddb:baseUrl points to the management API");
        expect(leaksOf(error, "s3cret")).toEqual([]);
        expect(received).toHaveLength(1);
    });

    it("of an address that has been valid is a failure like a page", async () => {
        const answers = [200, 301, 200];
        const { url, received } = await serve((response) =>
            json(response, answers.shift() ?? 500, { id: "1", cidr: "c", name: "n", region_code: "r" }),
        );
        const client = new Client(withToken(url), { random: () => 0 });
        const read = () => client.call("getVpc", { path: { project_id: "p", vpc_id: "1" } }, {});
        await read();
        await read();
        expect(received).toHaveLength(3);
    });

    it("in response to a request with a password does not show its target, which may quote it", async () => {
        const { url } = await serve((response) =>
            response.writeHead(302, { location: "/hunter22" }).end("<title>hunter22"),
        );
        const error = await failureOf(new Http(withToken(url)).send(withPassword("hunter22")), InvalidResponseError);
        expect(leaksOf(error, "hunter22")).toEqual([]);
    });
});

test("the message of an error contains no token that was sent, after the token has changed", async () => {
    const path = join(newFolder(), "token");
    const [first, second] = ["first-t0ken", "second-t0ken"];
    writeFileSync(path, first);
    const { url, received } = await serve((response) =>
        json(response, 401, { code: "UNAUTHENTICATED", message: `${first} or ${second} is not valid` }),
    );
    const source = { kind: "environment", name: "CLOUDDB_ACCESS_TOKEN_FILE", value: { file: path } } as const;
    const http = new Http(withSource(url, source));
    writeFileSync(path, second);
    await failureOf(http.send(getVpc), ApiError);
    const error = await failureOf(http.send(getVpc), ApiError);
    expect(received.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${first}`, `Bearer ${second}`]);
    expect(error.apiMessage).toBe("[secret] or [secret] is not valid");
    expect(leaksOf(error, first, second)).toEqual([]);
});

it.each(["127.0.0.1", "localhost"])("requests to this computer do not use a proxy, %s", async (hostname) => {
    const [proxy, server] = [await serve(() => undefined), await serve((response) => json(response, 200, {}))];
    const url = `http://${proxy.host}`;
    const env = { ...process.env, HTTP_PROXY: url, http_proxy: url, NO_PROXY: "", no_proxy: "" };
    jest.replaceProperty(process, "env", env);
    await new Http(withToken(server.url.replace("127.0.0.1", hostname))).send(getVpc);
    expect(proxy.received).toEqual([]);
    expect(server.received).toHaveLength(1);
});

it("ten reads in a row use one connection", async () => {
    const server = await serve((response) => json(response, 200, { n: 1 }));
    const http = new Http(withToken(server.url));
    for (let call = 0; call < 10; call++) {
        await http.send(getVpc);
    }
    expect(server.received).toHaveLength(10);
    expect(server.connections()).toBe(1);
});

it("a change arrives, although the server closes each connection after a response without notice", async () => {
    const used = new Set<Socket>();
    const server = await serve((response, _, { socket }) => {
        if (used.has(socket)) {
            socket.resetAndDestroy();
            return;
        }
        used.add(socket);
        json(response, 200, {});
    });
    const http = new Http(withToken(server.url));
    const remove: HttpRequest = { operation: "deleteVpc", method: "DELETE", path: "/projects/p/vpcs/1" };
    for (const change of [post, post, remove]) {
        await http.send(getVpc).catch(() => http.send(getVpc));
        await http.send(change);
    }
    expect(server.received.filter(({ method }) => method !== "GET")).toHaveLength(3);
});

it("there are at most 32 connections", async () => {
    const server = await serve((response) => json(response, 200, {}));
    const http = new Http(withToken(server.url));
    await Promise.all(Array.from({ length: 100 }, () => http.send(getVpc)));
    expect(server.received).toHaveLength(100);
    expect(server.connections()).toBe(32);
});

it.each<[Error, "no" | "maybe", string]>([
    [systemError("EHOSTUNREACH", "connect"), "no", "there is no route to the host"],
    [systemError("ENOTFOUND", "getaddrinfo"), "no", "the host is unknown"],
    [systemError("EAI_AGAIN", "getaddrinfo"), "no", "the name server does not answer"],
    [systemError("EMFILE", "getaddrinfo"), "no", "there is no free file descriptor"],
    [systemError("ETIMEDOUT", "connect"), "no", "a host that is switched off"],
    [
        atEach(systemError("ETIMEDOUT", "connect"), systemError("ENETUNREACH", "connect")),
        "no",
        "there is no route to any of its addresses",
    ],
    [systemError("EHOSTUNREACH", "read"), "maybe", "the route was lost"],
    [systemError("ECONNREFUSED", "read"), "maybe", "a firewall became active"],
    [systemError("ENETUNREACH"), "maybe", "the failed system call is unknown"],
    [
        atEach(systemError("ENETUNREACH", "connect"), systemError("ENETUNREACH", "read")),
        "maybe",
        "one of the connections may have sent it",
    ],
    [atEach(), "maybe", "there is no failure to classify"],
])("%s, happened: %s, because %s", async (failure, happened) => {
    const breaking: AxiosAdapter = (config) => Promise.reject(AxiosError.from(failure, undefined, config));
    const http = new Http(withToken("http://127.0.0.1:9/v1"), breaking);
    expect((await failureOf(http.send(post), ConnectionError)).happened).toBe(happened);
});

it("a request may have been processed if the connection broke before the response, or during it", async () => {
    const before = await serve((_, __, raw) => raw.socket.resetAndDestroy());
    const error = await failureOf(new Http(withToken(before.url)).send(post), ConnectionError);
    expect(error).toMatchObject({ code: "ECONNRESET", happened: "maybe" });
    expect(before.received).toHaveLength(1);
    const during = await serve((response, _, raw) => {
        response.writeHead(200, { "content-length": "1000" }).write('{"id":"1",');
        setImmediate(() => raw.socket.destroy());
    });
    const broken = await failureOf(new Http(withToken(during.url)).send(post), ConnectionError);
    expect(broken.happened).toBe("maybe");
});

it("a response leaves no timer or listener", async () => {
    const { url } = await serve((response) => json(response, 200, {}));
    const http = new Http(withToken(url));
    const before = timers();
    const { signal } = new AbortController();
    const [added, removed] = [jest.spyOn(signal, "addEventListener"), jest.spyOn(signal, "removeEventListener")];
    await http.send(getVpc, { deadlineAt: Infinity, signal });
    // Those of earlier tests may have expired meanwhile.
    expect(timers()).toBeLessThanOrEqual(before);
    expect(added).toHaveBeenCalledTimes(1);
    expect(removed.mock.calls[0]?.[1]).toBe(added.mock.calls[0]?.[1]);
});

it("an abort ends the call with the reason of the signal, not with a network error", async () => {
    const abort = new AbortController();
    const reason = new Error("cancelled");
    const { url } = await serve(() => abort.abort(reason));
    const sent = new Http(withToken(url)).send(getVpc, { deadlineAt: Infinity, signal: abort.signal });
    await expect(sent).rejects.toBe(reason);
});

it.each([
    { isCreation: false, graceMs: 1_000 },
    { isCreation: true, graceMs: 8_000 },
])("an abort leaves a change in flight $graceMs ms for its response (a creation: $isCreation)", async (given) => {
    const abort = new AbortController();
    const reason = new Error("cancelled");
    const clock = new TestClock();
    const arrived = once(abort.signal, "abort");
    const { url } = await serve(() => abort.abort(reason));
    const http = new Http(withToken(url), undefined, new ServerClock(clock));
    const options = { deadlineAt: Infinity, signal: abort.signal };
    const sent = http.send({ ...post, isCreation: given.isCreation }, options);
    const fate = fateOf(sent);
    await arrived;
    await clock.advance(given.graceMs - 1);
    expect(fate.state).toBe("pending");
    await clock.advance(1);
    expect(await failureOf(sent, CancelledInFlight)).toMatchObject({ happened: "maybe", cause: reason });
});

it.each([
    { body: "<!DOCTYPE html><p>Please log in", says: "HTML", reason: "a web page" },
    { body: '  \n<html lang="en">', says: "HTML", reason: "a web page after a blank line" },
    { body: '{"id": "1", "na', says: "format", reason: "incomplete JSON" },
    { body: "OK", says: "format", reason: "plain text" },
])("the call fails with an InvalidResponseError: $reason", async ({ body, says }) => {
    const { url } = await serve((response) => response.writeHead(200).end(body));
    const error = await failureOf(new Http(withToken(url)).send(getVpc), InvalidResponseError);
    expect(error).toMatchObject({ status: 200, operation: "getVpc", method: "GET", path: getVpc.path });
    expect(error.message).toContain(says);
    expect(leaksOf(error, body)).toEqual([]);
});

it.each([
    ["is near its begin", "Sign in</title>", ' ("Sign in")'],
    ["is not near its begin", `${"x".repeat(5_000)}</title>`, ""],
    ["is missing", "Sign in", ""],
    ["follows a token where the title is cut", `${"x".repeat(190)}${token}</title>`, ` ("${"x".repeat(190)}[secret]")`],
])("the error about a page has its title only if its end %s", async (_, title, shown) => {
    const { url } = await serve((response) => response.writeHead(200).end(`<html><TITLE id="a">${title}`));
    const error = await failureOf(new Http(withToken(url)).send(getVpc), InvalidResponseError);
    expect(error.message).toContain(`HTML instead of JSON${shown}`);
    expect(error.message).not.toContain(shown === "" ? "JSON (" : token.slice(0, 4));
});

const gatewayErrors: readonly (readonly [string, object])[] = [
    ["Denied: no route for you", { type: "about:blank", title: "Denied", detail: "no route for you", status: 400 }],
    ["no route for you", { error: { code: 7, message: "no route for you" } }],
    ["no route for you", { error: "no route for you" }],
];

it.each(gatewayErrors.flatMap(([text, body]) => [400, 503].map((status) => [status, text, body] as const)))(
    "the error about a %s of a gateway has its text, %s, which does not count as a message of the API",
    async (status, text, body) => {
        const long = `${JSON.stringify(body).slice(0, -1)},"more":"${token}"}`;
        const { url } = await serve((response) => response.writeHead(status).end(long));
        const error = await failureOf(new Http(withToken(url)).send(getVpc), CloudDbError);
        expect(error.message).toContain(text);
        expect(isFromElsewhere(error) || (error instanceof ApiError && error.code === undefined)).toBe(true);
        const quoting = JSON.stringify(body).replaceAll("no route for you", `no route for ${token}`);
        const { url: other } = await serve((response) => response.writeHead(status).end(quoting));
        expect((await failureOf(new Http(withToken(other)).send(getVpc), CloudDbError)).message).not.toContain(token);
    },
);

it.each(['"proj1abcde"', "proj 1", "proj/1"])("a 404 for the project %j names the setting that has it", async (id) => {
    const { url } = await serve((response) => json(response, 404, { code: "NOT_FOUND", message: "no" }));
    const project = { id, setting: "CLOUDDB_PROJECT_ID" };
    const client = new Client({ ...withToken(`${url}/v1`), project });
    const error = await failureOf(client.call("getVpc", { path: { project_id: id, vpc_id: "1" } }, {}), CloudDbError);
    expect(error.message).toContain("CLOUDDB_PROJECT_ID");
    expect(error.message).not.toContain("the input projectId");
});

it.each(["/v2", "//v1", "/"])(
    "a 404 at a base URL with the path %s, which is not that of the API, names the address",
    async (path) => {
        const { url } = await serve((response) => json(response, 404, { code: "NOT_FOUND", message: "no" }));
        const http = new Http(withToken(`${new URL(url).origin}${path}`));
        expect((await failureOf(http.send(getVpc), ApiError)).message).toContain(
            `Address: correct clouddb:baseUrl: its path must end with /v1, and is ${path}`,
        );
    },
);

it("a response of more than 64 MB fails at once, and the rest is not read", async () => {
    const piece = Buffer.alloc(1024 * 1024, " ");
    let pieces = 0;
    const { url, received } = await serve((response) => {
        response.on("error", () => undefined);
        const more = (): void => {
            while (!response.destroyed && pieces < 512) {
                pieces += 1;
                if (!response.write(piece)) {
                    response.once("drain", more);
                    return;
                }
            }
            response.end();
        };
        more();
    });
    const error = await failureOf(new Http(withToken(url)).send(getVpc), ConnectionError);
    expect(error.message).toContain("(the response is too large)");
    expect(error.failureClass).toBe("rejected");
    expect(received).toHaveLength(1);
    expect(pieces).toBeGreaterThanOrEqual(64);
    expect(pieces).toBeLessThan(128);
});

it("a response with a byte order mark is valid", async () => {
    const { url } = await serve((response) => response.writeHead(200).end('\uFEFF{"type":"oauth"}'));
    expect(await new Client(withToken(url)).call("getAuthInfo", {}, {})).toEqual({ type: "oauth" });
});
