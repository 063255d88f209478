import { createServer as createHttpServer } from "node:http";
import { connect, type AddressInfo, type Server, type Socket } from "node:net";
import tls, { createServer as createTlsServer, type ConnectionOptions } from "node:tls";
import { selfSigned } from "../../../emulator/postgres/certificate";
import { Client } from "../../../provider/api/client";
import { ConfigError, ConnectionError } from "../../../provider/api/callErrors";
import { Http } from "../../../provider/api/http";
import { atEnd } from "../../support/atEnd";
import { failureOf, getVpc, leaksOf, withToken } from "../../support/client";
import { deadUrl, json, serve } from "../../support/loopback";
import { TestClock } from "../../support/virtualClock";

const baseUrl = "https://service.invalid/v1";

afterEach(() => jest.restoreAllMocks());

/** Sets the variables of proxies, and no others. */
function setProxies(variables: Readonly<Record<string, string>>): void {
    const others = Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name));
    jest.replaceProperty(process, "env", { ...Object.fromEntries(others), ...variables });
}

async function listen(server: Server): Promise<string> {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    atEnd(() => new Promise((resolve) => server.close(resolve)));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A proxy that answers each CONNECT with a status, and connects to the target after 200. */
async function startProxy(status: number, target = "") {
    const received: { readonly url: string | undefined; readonly authorization: string | undefined }[] = [];
    const server = createHttpServer();
    server.on("connect", ({ url, headers }, socket: Socket) => {
        received.push({ url, authorization: headers["proxy-authorization"] });
        socket.on("error", () => undefined);
        if (status !== 200) {
            const authenticate = status === 407 ? 'Proxy-Authenticate: Basic realm="proxy"\r\n' : "";
            socket.end(`HTTP/1.1 ${status} No\r\n${authenticate}Content-Type: text/html\r\n\r\n<html>no</html>`);
            return;
        }
        const [host = "", port] = target.split(":");
        const upstream = connect(Number(port), host, () => {
            socket.write("HTTP/1.1 200 OK\r\n\r\n");
            upstream.pipe(socket).pipe(upstream);
        });
        upstream.on("error", () => socket.destroy());
    });
    return { host: await listen(server), received };
}

/** A server with a certificate of an unknown authority. */
async function startTls(): Promise<string> {
    const { certificate: cert, key } = selfSigned();
    return listen(createTlsServer({ cert, key }, (socket) => socket.on("error", () => undefined).end()));
}

/** The error of a call with retries, and the time until it. */
async function fails(method: "GET" | "POST" = "GET") {
    const clock = TestClock.automatic();
    const client = new Client(withToken(baseUrl), { clock, random: () => 1, adapter: clock.network });
    const path = { project_id: "p" };
    const beganAt = clock.now();
    const body = { name: "net", cidr: "10.0.0.0/16", region_code: "us-east-1" };
    const options = { deadlineAt: beganAt + 3_600_000 };
    const call =
        method === "GET"
            ? client.call("listVpcs", { path }, options)
            : client.call("createVpc", { path, body }, options);
    return { error: await failureOf(call, ConnectionError), afterMs: clock.now() - beganAt };
}

describe("a proxy that refuses to connect", () => {
    it.each([403, 407])("with %i is named, and fails the call at once", async (status) => {
        const { host, received } = await startProxy(status);
        setProxies({ HTTPS_PROXY: `http://me:pass-of-proxy@${host}` });
        const { error } = await fails("POST");
        expect(received).toHaveLength(1);
        expect(error.happened).toBe("no");
        expect(error.call.proxy).toEqual({ variable: "HTTPS_PROXY", url: `http://${host}` });
        expect(leaksOf(error, "pass-of-proxy")).toEqual([]);
    });

    it("with 502 fails after the time of an address that never responded, and not after that of an outage", async () => {
        const { host } = await startProxy(502);
        setProxies({ https_proxy: `http://${host}` });
        const { error, afterMs } = await fails("POST");
        expect(afterMs).toBeLessThan(25_000);
        expect(error).toMatchObject({ code: "PROXY_502", call: { proxy: { variable: "https_proxy" } } });
    });

    it("gets the decoded user and password", async () => {
        const { host, received } = await startProxy(403);
        setProxies({ ALL_PROXY: `http://me:a%40b@${host}` });
        await fails();
        const authorization = `Basic ${Buffer.from("me:a@b").toString("base64")}`;
        expect(received).toEqual([{ url: "service.invalid:443", authorization }]);
    });
});

describe("a proxy that cannot be reached", () => {
    it("because it is down is named", async () => {
        const { host } = new URL(await deadUrl());
        // Without a scheme, it is http.
        setProxies({ HTTPS_PROXY: host });
        const { error, afterMs } = await fails();
        expect(error).toMatchObject({ code: "ECONNREFUSED", call: { proxy: { url: `http://${host}` } } });
        expect(afterMs).toBeLessThan(4_000);
    });

    it.each(["socks5://127.0.0.1:1080", "http://", "http://a:%zz@127.0.0.1"])(
        "because its URL is invalid fails before any request: %s",
        async (value) => {
            setProxies({ HTTPS_PROXY: value });
            const error = await failureOf(() => new Http(withToken(baseUrl)), ConfigError);
            expect(error.setting).toBe("HTTPS_PROXY");
            expect(leaksOf(error, "%zz")).toEqual([]);
        },
    );
});

test("a 407 to a request without encryption is from the proxy", async () => {
    const proxy = await serve((response) => json(response, 407, {}));
    setProxies({ http_proxy: `http://${proxy.host}` });
    const error = await failureOf(new Http(withToken("http://service.invalid/v1")).send(getVpc), ConnectionError);
    expect(error).toMatchObject({ code: "PROXY_407", call: { proxy: { variable: "http_proxy" } } });
});

test("a certificate that Node.js does not know fails the call at once, through a proxy too", async () => {
    const { host, received } = await startProxy(200, await startTls());
    setProxies({ HTTPS_PROXY: `http://${host}` });
    const { error } = await fails();
    expect(received).toHaveLength(1);
    expect(error).toMatchObject({
        happened: "no",
        code: "DEPTH_ZERO_SELF_SIGNED_CERT",
        call: { proxy: { url: `http://${host}` } },
    });
});

describe("an address without the encryption of the client", () => {
    /** The error of a creation at this address. */
    const failsAt = (host: string) =>
        failureOf(new Http(withToken(`https://${host}/v1`)).send({ ...getVpc, method: "POST" }), ConnectionError);
    const { certificate, key } = selfSigned();

    beforeEach(() => {
        setProxies({});
        const { connect: connectTo } = tls;
        jest.spyOn(tls, "connect").mockImplementation(((options: ConnectionOptions) =>
            connectTo({ ...options, ca: certificate })) as typeof connectTo);
    });

    it("because its port speaks http is named, and nothing was sent", async () => {
        const { host } = await serve((response) => json(response, 200, {}));
        const { happened, parts } = await failsAt(host);
        expect(happened).toBe("no");
        expect(parts.ways?.[0]).toMatchObject({ label: "Not https" });
    });

    it.each(["TLSv1.2", "TLSv1.3"] as const)("because it asks for a certificate with %s is named", async (version) => {
        const options = { cert: certificate, key, requestCert: true, minVersion: version, maxVersion: version };
        const server = createTlsServer(options, (socket) => socket.on("error", () => undefined).end());
        server.on("tlsClientError", () => undefined);
        const { happened, parts } = await failsAt(await listen(server));
        expect(happened).toBe("no");
        expect(parts.ways).toMatchObject([{ label: "Causes" }]);
    });
});
