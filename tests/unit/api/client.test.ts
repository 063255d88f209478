import { Agent } from "node:http";
import { createConnection, Socket, type NetConnectOpts } from "node:net";
import type { AxiosAdapter } from "axios";
import { Client, type CallOptions } from "../../../provider/api/client";
import { InvalidResponseError, DeadlineError } from "../../../provider/api/callErrors";
import { failureOf, withToken } from "../../support/client";
import { json, serve } from "../../support/loopback";
import { fateOf, TestClock } from "../../support/virtualClock";

interface Answer {
    readonly status: number;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
}

/** A client without a network, which receives these responses in sequence and then repeats the last one. */
function scripted(...answers: readonly Answer[]) {
    const clock = new TestClock();
    const sent: { path: string; at: number; requestId: string }[] = [];
    const adapter: AxiosAdapter = (config) => {
        const { status, body, headers = {} } = answers[Math.min(sent.length, answers.length - 1)] ?? { status: 200 };
        sent.push({ path: config.url ?? "", at: clock.now(), requestId: String(config.headers["X-Request-Id"]) });
        const data = body === undefined ? "" : JSON.stringify(body);
        return Promise.resolve({ data, status, statusText: "", headers: { ...headers }, config });
    };
    const client = new Client(withToken("http://127.0.0.1:9/v1"), { clock, random: () => 1, adapter });
    return { client, clock, sent };
}

/** The path of requests in tests for which any path will do. */
const project = { project_id: "p" };

describe("the ids in a path", () => {
    const pathOf = async (vpcId: string) => {
        const { client, sent } = scripted({ status: 204 });
        await client.call("deleteVpc", { path: { project_id: "p", vpc_id: vpcId } }, {});
        return sent[0]?.path;
    };

    it.each([
        ["12", "12", "nothing special"],
        ["../x", "..%2Fx", "it must not leave its segment"],
        ["a/b", "a%2Fb", "it must stay one segment"],
        ["%2e", "%252e", "it must not become a dot"],
        ["%2e%2e", "%252e%252e", "it must not leave its segment when encoded"],
        ["...", "...", "three dots have no meaning"],
        ["a?b=c#d", "a%3Fb%3Dc%23d", "it must not become a query"],
        ["http://h/", "http%3A%2F%2Fh%2F", "it must not become a host"],
        ["\\..\\x;y", "%5C..%5Cx%3By", "it must not leave its segment on any server"],
        ["ü \r\n", "%C3%BC%20%0D%0A", "it must not break the request"],
    ])("%j is sent as %s: %s", async (id, path) => {
        expect(await pathOf(id)).toBe(`/projects/p/vpcs/${path}`);
    });

    it.each(["", ".", ".."])("%j is not a valid id, because it would call another operation", async (id) => {
        const { client, sent } = scripted({ status: 204 });
        const deleteVpc = (project_id: string, vpc_id: string) =>
            failureOf(client.call("deleteVpc", { path: { project_id, vpc_id } }, {}), RangeError);
        expect((await deleteVpc("p", id)).message).toContain("vpc_id");
        await deleteVpc(id, "1");
        expect(sent).toEqual([]);
    });
});

describe("a call", () => {
    const busy = { status: 503, headers: { "retry-after": "2" } };

    it("each retry has a new request id and uses the clock of the client", async () => {
        const { client, clock, sent } = scripted(busy, busy, { status: 200, body: [] });
        const fate = fateOf(client.call("listVpcs", { path: project }, {}));
        await clock.advance(10_000);
        expect(fate).toEqual({ state: "resolved", value: [] });
        expect(sent.map(({ at }) => at)).toEqual([0, 2_000, 4_000]);
        expect(new Set(sent.map(({ requestId }) => requestId)).size).toBe(3);
    });

    it("a malformed entry of a list is passed to a caller that may need it, which can fail the call", async () => {
        const good = { id: "1", cidr: "10.0.0.0/16", name: "net", region_code: "r" };
        const { client } = scripted({ status: 200, body: [{ id: 2, name: "odd" }, good, null] });
        const list = (options: CallOptions) => client.call("listVpcs", { path: project }, options);
        const entries: object[] = [];
        await list({ onMalformed: (entry) => entries.push(entry) });
        expect(entries).toEqual([{ id: 2, name: "odd" }, {}]);
        const onMalformed = (_: object, error: Error) => {
            throw error;
        };
        await failureOf(list({ onMalformed, isSingle: true }), InvalidResponseError);
    });
});

/** The method of an agent that its types do not contain. */
interface Connecting {
    createConnection: (options: NetConnectOpts) => Socket;
}

describe("a server that does not answer", () => {
    /** Expects that a read ends at its deadline. The server or the connection calls `stuck` when it gets the request. */
    async function expectTimeout(url: string, reached: Promise<unknown>) {
        const clock = new TestClock();
        const call = new Client(withToken(url), { clock }).call("listVpcs", { path: project }, { deadlineAt: 200 });
        const fate = fateOf(call);
        await reached;
        await clock.advance(199);
        expect(fate.state).toBe("pending");
        await clock.advance(1);
        expect(await failureOf(call, DeadlineError)).toMatchObject({ cause: { code: "ETIMEDOUT" } });
    }

    it("a read ends at its deadline if the server sends one byte and then nothing", async () => {
        const { url, arrived } = await serve((response) => {
            response.writeHead(200, { "content-type": "application/json" }).write(" ");
        });
        await expectTimeout(url, arrived);
    });

    it.each([
        { what: "the connection is never established", stuck: "connect" as const },
        { what: "the DNS server does not answer", stuck: "lookup" as const },
    ])("a read ends at its deadline if $what", async ({ stuck }) => {
        // No address on this computer does this, so the connection is replaced.
        const connect = jest.spyOn(Agent.prototype as unknown as Connecting, "createConnection");
        const reached = new Promise<void>((resolve) => {
            connect.mockImplementation((options) => {
                resolve();
                return stuck === "connect"
                    ? Object.assign(new Socket(), { connecting: true })
                    : createConnection({ ...options, host: "api.example.com", lookup: () => undefined });
            });
        });
        await expectTimeout("http://127.0.0.1:9/v1", reached);
        connect.mockRestore();
    });

    it("a create request that is answered soon after the deadline returns the response", async () => {
        const clock = new TestClock();
        const body = { name: "net", cidr: "10.0.0.0/16", region_code: "r" };
        const { url, received } = await serve((response) => {
            void clock.advance(300).then(() => json(response, 201, { ...body, id: "1" }));
        });
        const client = new Client(withToken(url), { clock });
        const created = client.call("createVpc", { path: project, body }, { deadlineAt: 100 });
        await expect(created).resolves.toMatchObject({ id: "1" });
        expect(received).toHaveLength(1);
    });

    it("a create request without an answer fails three seconds after the deadline, by the clock of the client", async () => {
        const clock = new TestClock();
        const adapter = () => new Promise<never>(() => undefined);
        const client = new Client(withToken("http://127.0.0.1:9/v1"), { clock, adapter });
        const request = { path: project, body: { name: "db" } };
        const fate = fateOf(client.call("createService", request, { deadlineAt: 5_000 }));
        await clock.advance(7_999);
        expect(fate.state).toBe("pending");
        await clock.advance(1);
        expect(fate.error).toMatchObject({ code: "ETIMEDOUT", happened: "maybe" });
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
        await client.call("listVpcs", { path: project }, {});
        const fate = fateOf(client.call("listVpcs", { path: project }, { deadlineAt: 130_000 }));
        await clock.advance(129_999);
        expect(fate.state).toBe("pending");
        await clock.advance(1);
        expect(fate.error).toBeInstanceOf(DeadlineError);
        expect(tries).toEqual([0, 0, 60_250, 120_750]);
        expect(clock.sleeping).toBe(0);
    });
});
