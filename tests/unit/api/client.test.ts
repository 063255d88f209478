import { Agent, type ServerResponse } from "node:http";
import { createConnection, Socket, type NetConnectOpts } from "node:net";
import type { AxiosAdapter } from "axios";
import { Client, readOptions, type CallOptions } from "../../../provider/api/client";
import { format, type Message } from "../../../provider/base/message";
import { InvalidResponseError, ConnectionError, DeadlineError } from "../../../provider/api/callErrors";
import { systemClock } from "../../../provider/api/clock";
import { failureOf, withToken } from "../../support/client";
import { deadUrl, json, serve } from "../../support/loopback";
import { fateOf, settled, TestClock } from "../../support/virtualClock";

interface Answer {
    readonly status: number;
    readonly body?: unknown;
    /** A body that is not JSON. */
    readonly page?: string;
    readonly headers?: Readonly<Record<string, string>>;
}

/** A client without a network, which receives these responses in sequence and then repeats the last one. */
function scripted(...answers: readonly Answer[]) {
    const clock = new TestClock();
    const sent: { path: string; at: number; requestId: string }[] = [];
    const adapter: AxiosAdapter = (config) => {
        const {
            status,
            body,
            page,
            headers = {},
        } = answers[Math.min(sent.length, answers.length - 1)] ?? { status: 200 };
        sent.push({ path: config.url ?? "", at: clock.now(), requestId: String(config.headers["X-Request-Id"]) });
        const data = page ?? (body === undefined ? "" : JSON.stringify(body));
        return Promise.resolve({ data, status, statusText: "", headers: { ...headers }, config });
    };
    const warnings: string[] = [];
    const warn = (message: Message) => warnings.push(format(message));
    const client = new Client(withToken("http://127.0.0.1:9/v1"), { clock, random: () => 1, adapter, warn });
    return { client, clock, sent, warnings };
}

/** The path of requests in tests for which any path will do. */
const project = { project_id: "p" };

describe("the ids in a path", () => {
    const pathOf = async (vpcId: string) => {
        const { client, sent } = scripted({ status: 204 });
        await client.call("deleteVpc", { path: { project_id: "p", vpc_id: vpcId } }, readOptions);
        return sent[0]?.path;
    };

    it.each([
        { id: "12", path: "12", reason: "nothing special" },
        { id: "../x", path: "..%2Fx", reason: "it must not leave its segment" },
        { id: "a/b", path: "a%2Fb", reason: "it must stay one segment" },
        { id: "%2e", path: "%252e", reason: "it must not become a dot" },
        { id: "%2e%2e", path: "%252e%252e", reason: "it must not leave its segment when encoded" },
        { id: "...", path: "...", reason: "three dots have no meaning" },
        { id: "a?b=c#d", path: "a%3Fb%3Dc%23d", reason: "it must not become a query" },
        { id: "http://h/", path: "http%3A%2F%2Fh%2F", reason: "it must not become a host" },
        { id: "\\..\\x;y", path: "%5C..%5Cx%3By", reason: "it must not leave its segment on any server" },
        { id: "ü \r\n", path: "%C3%BC%20%0D%0A", reason: "it must not break the request" },
    ])("$id is sent as $path: $reason", async ({ id, path }) => {
        expect(await pathOf(id)).toBe(`/projects/p/vpcs/${path}`);
    });

    it.each(["", ".", ".."])("%j is not a valid id, because it would call another operation", async (id) => {
        const { client, sent } = scripted({ status: 204 });
        const error = await failureOf(
            client.call("deleteVpc", { path: { project_id: "p", vpc_id: id } }, readOptions),
            RangeError,
        );
        expect(error.message).toContain("vpc_id");
        await failureOf(client.call("deleteVpc", { path: { project_id: id, vpc_id: "1" } }, readOptions), RangeError);
        expect(sent).toEqual([]);
    });
});

describe("a call", () => {
    const busy = { status: 503, headers: { "retry-after": "2" } };

    it("each retry has a new request id and uses the clock of the client", async () => {
        const { client, clock, sent } = scripted(busy, busy, { status: 200, body: [] });
        const fate = fateOf(client.call("listVpcs", { path: project }, readOptions));
        await clock.advance(10_000);
        expect(fate).toEqual({ state: "resolved", value: [] });
        expect(sent.map(({ at }) => at)).toEqual([0, 2_000, 4_000]);
        expect(new Set(sent.map(({ requestId }) => requestId)).size).toBe(3);
    });

    it("a list that is null is empty", async () => {
        const { client, sent } = scripted({ status: 200, page: "null" });
        expect(await client.call("listVpcs", { path: project }, readOptions)).toEqual([]);
        expect(sent).toHaveLength(1);
    });

    it("an abort ends the call while it waits for the response", async () => {
        const abort = new AbortController();
        const reason = new Error("enough");
        const { url } = await serve(() => abort.abort(reason));
        const call = new Client(withToken(url)).call(
            "listVpcs",
            { path: project },
            { ...readOptions, signal: abort.signal },
        );
        await expect(call).rejects.toBe(reason);
    });

    describe("a malformed entry of a list", () => {
        const good = { id: "1", cidr: "10.0.0.0/16", name: "net", region_code: "r" };
        const list = (client: Client, options: CallOptions = {}) => client.call("listVpcs", { path: project }, options);

        it("is left out with one warning, although each read of the list returns it", async () => {
            const odd = { id: 2, name: "odd" };
            const { client, warnings } = scripted(
                { status: 200, body: [odd, good] },
                { status: 200, body: [good, odd, null] },
            );
            await expect(list(client)).resolves.toEqual([good]);
            await expect(list(client)).resolves.toEqual([good]);
            expect(warnings).toEqual([
                expect.stringContaining("A malformed entry of a list was left out: listVpcs returned"),
                expect.stringContaining("the response[2] is null"),
            ]);
            expect(warnings[0]).toContain("the response[0].id is a number, not a string");
        });

        it("is passed to a caller that may need it, which can fail the call", async () => {
            const { client } = scripted({ status: 200, body: [{ id: 2, name: "odd" }, good, null] });
            const entries: object[] = [];
            await list(client, { onMalformed: (entry) => entries.push(entry) });
            expect(entries).toEqual([{ id: 2, name: "odd" }, {}]);
            const onMalformed = (_: object, error: Error) => {
                throw error;
            };
            await failureOf(list(client, { onMalformed, isSingle: true }), InvalidResponseError);
        });
    });

    it("a 429 of one call delays the calls of other callers", async () => {
        const tooMany = { status: 429, headers: { "retry-after": "3" } };
        const { client, clock, sent } = scripted(tooMany, { status: 200, body: [] });
        const first = fateOf(client.call("listVpcs", { path: project }, readOptions));
        await settled();
        const second = fateOf(client.call("listServices", { path: project }, readOptions));
        await clock.advance(2_999);
        expect(sent).toHaveLength(1);
        await clock.advance(1_000);
        expect([first.state, second.state]).toEqual(["resolved", "resolved"]);
        expect(sent.slice(1).map(({ at }) => at)).toEqual([3_000, 3_100]);
    });
});

/** The method of an agent that its types do not contain. */
interface Connecting {
    createConnection: (options: NetConnectOpts) => Socket;
}

describe("a server that does not answer", () => {
    /** How a read ends that has this much real time. */
    async function readFrom(url: string, timeMs: number) {
        const beganAt = performance.now();
        const client = new Client(withToken(url));
        const error = await failureOf(
            client.call("listVpcs", { path: project }, { deadlineAt: systemClock.now() + timeMs }),
            DeadlineError,
        );
        return { error, tookMs: performance.now() - beganAt };
    }

    it.each<{ what: string; answer: (response: ServerResponse) => void }>([
        { what: "accepts the request and never answers", answer: () => undefined },
        {
            what: "sends one byte at a time",
            answer: (response) => {
                response.writeHead(200, { "content-type": "application/json" });
                const bytes = setInterval(() => response.write(" "), 20);
                response.on("close", () => clearInterval(bytes));
            },
        },
    ])("a read ends at its deadline if the server $what", async ({ answer }) => {
        const { url } = await serve(answer);
        const { error, tookMs } = await readFrom(url, 200);
        expect(error.message).toContain("(timed out)");
        expect(tookMs).toBeLessThan(2_000);
    });

    it.each([
        { what: "the connection is never established", stuck: "connect" as const },
        { what: "the DNS server does not answer", stuck: "lookup" as const },
    ])("a read ends at its deadline if $what", async ({ stuck }) => {
        // No address on this computer does this, so the connection is replaced.
        const connect = jest.spyOn(Agent.prototype as unknown as Connecting, "createConnection");
        connect.mockImplementation((options) =>
            stuck === "connect"
                ? Object.assign(new Socket(), { connecting: true })
                : createConnection({ ...options, host: "api.example.com", lookup: () => undefined }),
        );
        const { error, tookMs } = await readFrom("http://127.0.0.1:9/v1", 200);
        expect(error.message).toContain("(timed out)");
        expect(tookMs).toBeLessThan(2_000);
        connect.mockRestore();
    });

    it("a create request that is answered soon after the deadline returns the response", async () => {
        const body = { name: "net", cidr: "10.0.0.0/16", region_code: "r" };
        const { url, received } = await serve((response) => {
            setTimeout(() => json(response, 201, { ...body, id: "1" }), 300);
        });
        const options = { deadlineAt: systemClock.now() + 100 };
        await expect(
            new Client(withToken(url)).call("createVpc", { path: project, body }, options),
        ).resolves.toMatchObject({ id: "1" });
        expect(received).toHaveLength(1);
    });

    it("a create request without an answer fails three seconds after the deadline, by the clock of the client", async () => {
        const clock = new TestClock();
        const client = new Client(withToken("http://127.0.0.1:9/v1"), {
            clock,
            adapter: () => new Promise(() => undefined),
        });
        const fate = fateOf(
            client.call("createService", { path: project, body: { name: "db" } }, { deadlineAt: 5_000 }),
        );
        await clock.advance(7_999);
        expect(fate.state).toBe("pending");
        await clock.advance(1);
        expect(fate.error).toMatchObject({ code: "ETIMEDOUT", processed: "unknown" });
        expect(clock.sleeping).toBe(0);
    });

    it("an attempt ends after a minute, and a read is repeated until its deadline", async () => {
        const clock = new TestClock();
        const tries: number[] = [];
        const adapter: AxiosAdapter = (config) => {
            tries.push(clock.now());
            return tries.length === 1
                ? Promise.resolve({ data: "[]", status: 200, statusText: "", headers: {}, config })
                : new Promise(() => undefined);
        };
        const client = new Client(withToken("http://127.0.0.1:9/v1"), { clock, adapter, random: () => 1 });
        await client.call("listVpcs", { path: project }, readOptions);
        const fate = fateOf(client.call("listVpcs", { path: project }, { deadlineAt: 130_000 }));
        await clock.advance(129_999);
        expect(fate.state).toBe("pending");
        await clock.advance(1);
        expect(fate.error).toBeInstanceOf(DeadlineError);
        expect(tries).toEqual([0, 0, 60_250, 120_750]);
        expect(clock.sleeping).toBe(0);
    });
});

describe("an address that refuses connections", () => {
    it("a call fails within three seconds if the address has never responded, and names the emulator on this computer", async () => {
        const url = await deadUrl();
        const beganAt = performance.now();
        const error = await failureOf(
            new Client({ ...withToken(url), baseUrlSetting: "CLOUDDB_BASE_URL" }).call(
                "listVpcs",
                { path: project },
                readOptions,
            ),
            ConnectionError,
        );
        expect(performance.now() - beganAt).toBeLessThan(4_000);
        const { host, port } = new URL(url);
        expect(error.message).toContain(
            `listVpcs got no response from ${host} (connection refused).\nEmulator: start it ` +
                `with \`npx clouddb-emulator --port ${port}\`\nAnother address: correct CLOUDDB_BASE_URL\n`,
        );
    });
});
