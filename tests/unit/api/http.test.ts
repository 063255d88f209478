import { Agent } from "node:http";
import type { Socket } from "node:net";
import { AxiosError, type AxiosAdapter } from "axios";
import { Client } from "../../../provider/api/client";
import { Http, type HttpRequest } from "../../../provider/api/http";
import { InvalidResponseError, ConnectionError, ApiError } from "../../../provider/api/errors";
import { version } from "../../../provider/api/version.gen";
import { everythingIn, leaksOf, failureOf, token, withKeyPair, withToken } from "../../support/client";
import { fateOf } from "../../support/virtualClock";
import { closeLoopbacks, deadUrl, json, serve } from "../../support/loopback";

afterEach(closeLoopbacks);
afterEach(() => jest.restoreAllMocks());

const get: HttpRequest = { operation: "getVpc", method: "GET", path: "/projects/p/vpcs/1" };
const post: HttpRequest = { operation: "createVpc", method: "POST", path: "/projects/p/vpcs", body: { name: "net" } };

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;

/** A failure as Node tells it. */
const systemError = (code: string, syscall?: string) =>
    Object.assign(new Error(`${syscall ?? "something"} ${code}`), { code, syscall });

/** A host with several addresses fails with what happened at each of them. */
const atEach = (...errors: readonly Error[]) =>
    Object.assign(new AggregateError(errors, `${errors.length} addresses failed`), { code: "ENETUNREACH" });

/** With a limit in which a test can wait. */
const impatient = (url: string) => new Http(withToken(url), undefined, 40);

describe("a request", () => {
    it("carries the token, the version of this package, and an id of its own", async () => {
        const { url, received } = await serve((response) => json(response, 200, {}));
        const http = new Http(withToken(url));
        const [first, second] = [await http.send(get), await http.send(get)];
        const [one, two] = received;
        expect(one?.url).toBe("/v1/projects/p/vpcs/1");
        expect(one?.headers).toMatchObject({
            authorization: `Bearer ${token}`,
            accept: "application/json",
            "user-agent": `pulumi-clouddb/${version} node/${process.versions.node}`,
            "x-request-id": first.call.requestId,
        });
        expect(two?.headers["x-request-id"]).toBe(second.call.requestId);
        expect(first.call.requestId).not.toBe(second.call.requestId);
    });

    it("carries a pair of keys as HTTP Basic", async () => {
        const { url, received } = await serve((response) => json(response, 200, {}));
        await new Http(withKeyPair(url, "PUBLIC", "SE:CRET")).send(get);
        expect(received[0]?.headers.authorization).toBe(`Basic ${Buffer.from("PUBLIC:SE:CRET").toString("base64")}`);
    });

    it("carries its body as JSON and says so, and says nothing where it has none", async () => {
        const { url, received } = await serve((response) => json(response, 200, {}));
        const http = new Http(withToken(url));
        await http.send(post);
        await http.send({ operation: "startService", method: "POST", path: "/x" });
        await http.send({ operation: "deleteVpc", method: "DELETE", path: "/x" });
        expect(received.map(({ method, body, headers }) => [method, body, headers["content-type"]])).toEqual([
            ["POST", '{"name":"net"}', "application/json"],
            ["POST", "", undefined],
            ["DELETE", "", undefined],
        ]);
    });

    it("is not sent on to where a redirect points, so that the token stays with the service", async () => {
        const elsewhere = await serve((response) => json(response, 200, {}));
        const { url } = await serve((response) => response.writeHead(307, { location: elsewhere.url }).end());
        const error = await failureOf(new Http(withToken(url)).send(get), InvalidResponseError);
        expect(error.message).toContain("returned an invalid response (307 from ");
        expect(elsewhere.received).toEqual([]);
    });
});

describe("a proxy of the environment", () => {
    /** A proxy that all http goes through, unless somebody knows better. */
    async function startProxy() {
        const proxy = await serve((response) => json(response, 200, {}));
        const url = `http://${proxy.host}`;
        const env = { ...process.env, HTTP_PROXY: url, http_proxy: url, NO_PROXY: "", no_proxy: "" };
        jest.replaceProperty(process, "env", env);
        return proxy;
    }

    it.each(["127.0.0.1", "localhost"])("is not asked for what is on this computer, %s", async (hostname) => {
        const proxy = await startProxy();
        const server = await serve((response) => json(response, 200, {}));
        await new Http(withToken(server.url.replace("127.0.0.1", hostname))).send(get);
        expect(proxy.received).toEqual([]);
        expect(server.received).toHaveLength(1);
    });

    it("is asked for everything else", async () => {
        const proxy = await startProxy();
        await new Http(withToken("http://service.invalid/v1")).send(get);
        expect(proxy.received[0]?.url).toBe("http://service.invalid/v1/projects/p/vpcs/1");
    });
});

describe("connections", () => {
    it("are kept: ten calls one after the other use one", async () => {
        const server = await serve((response) => json(response, 200, { n: 1 }));
        const http = new Http(withToken(server.url));
        for (let call = 0; call < 10; call++) {
            await http.send(call % 2 === 0 ? get : post);
        }
        expect(server.received).toHaveLength(10);
        expect(server.connections()).toBe(1);
    });

    it("are kept after a refusal, too", async () => {
        const server = await serve((response) => json(response, 404, { code: "NOT_FOUND", message: "no" }));
        const http = new Http(withToken(server.url));
        await failureOf(http.send(get), ApiError);
        await failureOf(http.send(get), ApiError);
        expect(server.connections()).toBe(1);
    });

    it("are at most 32, however many calls come at once", async () => {
        const server = await serve((response) => json(response, 200, {}));
        const http = new Http(withToken(server.url));
        await Promise.all(Array.from({ length: 100 }, () => http.send(get)));
        expect(server.received).toHaveLength(100);
        expect(server.connections()).toBe(32);
    });
});

describe("no answer", () => {
    it("because nobody listens: the request was surely not carried out", async () => {
        const error = await failureOf(new Http(withToken(await deadUrl())).send(post), ConnectionError);
        expect(error).toMatchObject({ code: "ECONNREFUSED", carriedOut: "no", operation: "createVpc", method: "POST" });
    });

    it("because nobody listens at any address of localhost: likewise", async () => {
        const url = (await deadUrl()).replace("127.0.0.1", "localhost");
        const error = await failureOf(new Http(withToken(url)).send(post), ConnectionError);
        expect(error).toMatchObject({ code: "ECONNREFUSED", carriedOut: "no" });
    });

    it.each([
        { failure: systemError("EHOSTUNREACH", "connect"), carriedOut: "no", reason: "no way there" },
        { failure: systemError("ENOTFOUND", "getaddrinfo"), carriedOut: "no", reason: "nobody knows the host" },
        { failure: systemError("ETIMEDOUT", "connect"), carriedOut: "no", reason: "a host that is switched off" },
        {
            failure: atEach(systemError("ETIMEDOUT", "connect"), systemError("ENETUNREACH", "connect")),
            carriedOut: "no",
            reason: "no way to any of its addresses",
        },
        { failure: systemError("EHOSTUNREACH", "read"), carriedOut: "unknown", reason: "the way back is gone" },
        { failure: systemError("ENETUNREACH", "read"), carriedOut: "unknown", reason: "the network is gone" },
        { failure: systemError("ECONNREFUSED", "read"), carriedOut: "unknown", reason: "a firewall has woken up" },
        { failure: systemError("EHOSTUNREACH", "write"), carriedOut: "unknown", reason: "part of it may be there" },
        { failure: systemError("ENETUNREACH"), carriedOut: "unknown", reason: "nobody says what failed" },
        {
            failure: atEach(systemError("ENETUNREACH", "connect"), systemError("ENETUNREACH", "read")),
            carriedOut: "unknown",
            reason: "one of its connections may have carried it",
        },
        { failure: atEach(), carriedOut: "unknown", reason: "nothing failed that has a name" },
    ])("$failure.message, carried out: $carriedOut, because $reason", async ({ failure, carriedOut }) => {
        const breaking: AxiosAdapter = (config) => Promise.reject(AxiosError.from(failure, undefined, config));
        const http = new Http(withToken("http://127.0.0.1:9/v1"), breaking);
        expect((await failureOf(http.send(post), ConnectionError)).carriedOut).toBe(carriedOut);
    });

    it("because the network went away while it was waited for: the request may have been carried out", async () => {
        const connect = jest.spyOn(Agent.prototype, "createConnection");
        const { url } = await serve(() => {
            const socket = connect.mock.results[0]?.value as Socket;
            socket.destroy(systemError("EHOSTUNREACH", "read"));
        });
        const error = await failureOf(new Http(withToken(url)).send(post), ConnectionError);
        expect(error).toMatchObject({ code: "EHOSTUNREACH", carriedOut: "unknown" });
    });

    it("because the connection broke before the answer: the request may have been carried out", async () => {
        const { url, host, received } = await serve((_, __, raw) => raw.socket.resetAndDestroy());
        const error = await failureOf(new Http(withToken(url)).send(post), ConnectionError);
        expect(error).toMatchObject({ code: "ECONNRESET", carriedOut: "unknown" });
        expect(error.message).toContain(host);
        expect(received).toHaveLength(1);
    });

    it("because the connection was closed in the middle of it: the request may have been carried out", async () => {
        const { url } = await serve((response, _, raw) => {
            response.writeHead(200, { "content-length": "1000" }).write('{"id":"1",');
            setImmediate(() => raw.socket.destroy());
        });
        const error = await failureOf(new Http(withToken(url)).send(post), ConnectionError);
        expect(error.carriedOut).toBe("unknown");
    });

    it("in time: the request may have been carried out", async () => {
        const { url } = await serve(() => undefined);
        const error = await failureOf(impatient(url).send(post), ConnectionError);
        expect(error.carriedOut).toBe("unknown");
        expect(error.message).toContain("timed out");
    });

    it("in time, because it comes drop by drop: the same", async () => {
        const { url } = await serve((response) => {
            const drops = setInterval(() => response.write(" "), 5);
            response.on("close", () => {
                clearInterval(drops);
            });
        });
        const error = await failureOf(impatient(url).send(get), ConnectionError);
        expect(error.message).toContain("timed out");
    });

    it("is waited for a minute and no longer", async () => {
        jest.useFakeTimers();
        try {
            const never: AxiosAdapter = ({ signal }) =>
                new Promise((_, reject) => {
                    signal?.addEventListener?.("abort", () => reject(new Error("aborted")));
                });
            const fate = fateOf(new Http(withToken("http://127.0.0.1:9/v1"), never).send(get));
            await jest.advanceTimersByTimeAsync(59_999);
            expect(fate.state).toBe("pending");
            await jest.advanceTimersByTimeAsync(1);
            expect(fate.error).toMatchObject({ name: "ConnectionError", code: "ETIMEDOUT", carriedOut: "unknown" });
        } finally {
            jest.useRealTimers();
        }
    });

    it("that comes leaves no timer and no listener behind", async () => {
        const { url } = await serve((response) => json(response, 200, {}));
        const http = new Http(withToken(url));
        const before = timers();
        const { signal } = new AbortController();
        const [added, removed] = [jest.spyOn(signal, "addEventListener"), jest.spyOn(signal, "removeEventListener")];
        await http.send({ ...get, signal });
        expect(timers()).toBe(before);
        expect(added).toHaveBeenCalledTimes(1);
        expect(removed.mock.calls[0]?.[1]).toBe(added.mock.calls[0]?.[1]);
    });

    it("because the caller gave up: the call ends with the signal's reason and not with an error of the network", async () => {
        const abort = new AbortController();
        const reason = new Error("cancelled");
        const { url } = await serve(() => abort.abort(reason));
        await expect(new Http(withToken(url)).send({ ...get, signal: abort.signal })).rejects.toBe(reason);
    });

    it("is waited for by nobody who gave up before: nothing is sent", async () => {
        const { url, received } = await serve((response) => json(response, 200, {}));
        const reason = new Error("cancelled");
        const signal = AbortSignal.abort(reason);
        await expect(new Http(withToken(url)).send({ ...get, signal })).rejects.toBe(reason);
        expect(received).toEqual([]);
    });

    it.each([get, post])("shows no token: $method", async (request) => {
        const { url } = await serve((_, __, raw) => raw.socket.resetAndDestroy());
        const shown = everythingIn(await failureOf(new Http(withToken(url)).send(request), ConnectionError));
        expect(shown).not.toContain(token);
        expect(shown).not.toMatch(/authorization|bearer/i);
    });
});

describe("an answer that cannot be used", () => {
    it.each([
        { body: "<!DOCTYPE html><p>Please log in", says: "HTML instead of JSON", reason: "a web page" },
        { body: '  \n<html lang="en">', says: "HTML instead of JSON", reason: "a web page after a blank line" },
        { body: '{"id": "1", "na', says: "malformed JSON", reason: "JSON that stops too soon" },
        { body: "OK", says: "malformed JSON", reason: "plain text" },
    ])("is an InvalidResponseError: $reason", async ({ body, says }) => {
        const { url } = await serve((response) => response.writeHead(200).end(body));
        const error = await failureOf(new Http(withToken(url)).send(get), InvalidResponseError);
        expect(error).toMatchObject({ status: 200, operation: "getVpc", method: "GET", path: get.path });
        expect(error.message).toContain(says);
        expect(error.message).toContain("clouddb:baseUrl");
        expect(leaksOf(error, body)).toEqual([]);
    });

    it("is an InvalidResponseError when it is empty where the contract promises something", async () => {
        const { url } = await serve((response) => response.writeHead(200).end());
        const error = await failureOf(new Client(withToken(url)).getVpc("p", "1"), InvalidResponseError);
        expect(error.message).toContain("the response is empty, not an object");
    });

    it("is an InvalidResponseError when a field is missing, named by its place", async () => {
        const { url } = await serve((response) => json(response, 200, [{ id: "1", name: "n", cidr: "10.0.0.0/8" }]));
        const error = await failureOf(new Client(withToken(url)).listVpcs("p"), InvalidResponseError);
        expect(error.message).toContain('the response[0] has no field "region_code"');
    });

    it("is an InvalidResponseError when it is larger than 64 MB, of which no more is read", async () => {
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
        const error = await failureOf(new Http(withToken(url)).send(get), InvalidResponseError);
        expect(error.message).toContain("larger than 64 MB");
        expect(received).toHaveLength(1);
        expect(pieces).toBeGreaterThanOrEqual(64);
        expect(pieces).toBeLessThan(128);
    });

    it("is none when it is empty and nothing was promised", async () => {
        const { url } = await serve((response) => response.writeHead(204).end());
        await expect(new Client(withToken(url)).deleteVpc("p", "1")).resolves.toBeUndefined();
    });

    it("is none when it begins with a byte order mark", async () => {
        const { url } = await serve((response) => response.writeHead(200).end('\uFEFF{"type":"oauth"}'));
        expect(await new Client(withToken(url)).getAuthInfo()).toEqual({ type: "oauth" });
    });
});
