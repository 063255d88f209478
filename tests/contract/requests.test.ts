import { Client, readOptions } from "../../provider/api/client";
import type { QueryOf } from "../../provider/api/contract";
import { ApiError } from "../../provider/api/callErrors";
import { version } from "../../provider/api/version.gen";
import { branded } from "../support/apiVariants";
import { failureOf, withKeyPair } from "../support/client";
import { startClient } from "./world";

describe("the query of getServiceLogs", () => {
    const sent = async (query: QueryOf<"getServiceLogs">) => {
        const { client, project, make, passed } = await startClient();
        const { service_id = "" } = await make("Service");
        const path = { project_id: project, service_id };
        await client.call("getServiceLogs", { path, query }, readOptions);
        return (passed.at(-1)?.exchange.request.path ?? "").split("?")[1];
    };

    it("the query of getServiceLogs is empty without filters", async () => {
        expect(await sent(undefined)).toBeUndefined();
        expect(await sent({})).toBeUndefined();
    });

    it("the query of getServiceLogs repeats the parameter for each severity, as the contract requires", async () => {
        const query = new URLSearchParams(await sent({ severities: ["ERROR", "FATAL"] }));
        expect([...query]).toEqual([
            ["severities", "ERROR"],
            ["severities", "FATAL"],
        ]);
    });

    it.each(["a&b=c", "50% + more", "ü/ß?#", "[x]", "node:1,2"])(
        "the query of getServiceLogs encodes the search %j correctly",
        async (search) => {
            const query = new URLSearchParams(await sent({ search }));
            expect([...query]).toEqual([["search", search]]);
        },
    );

    it("the query of getServiceLogs encodes a time with an offset correctly", async () => {
        const since = "2030-01-01T00:00:00+02:00";
        expect(new URLSearchParams(await sent({ since })).get("since")).toBe(since);
    });

    it("getServiceLogs requests each page with the cursor of the previous page, which has only its current name", async () => {
        const { client, emulator, project, make } = await startClient();
        const { service_id = "" } = await make("Service");
        emulator.fillLogs(service_id, 600);
        const path = { project_id: project, service_id };
        const first = await client.call("getServiceLogs", { path }, readOptions);
        expect(first.logs).toHaveLength(500);
        expect(first).not.toHaveProperty("lastCursor");
        const { last_cursor: cursor = "" } = first;
        const second = await client.call("getServiceLogs", { path, query: { cursor } }, readOptions);
        expect(second.logs.length).toBeGreaterThanOrEqual(100);
        expect(second.last_cursor).toBeUndefined();
    });
});

it("the headers of a request contain the name and version of this package, and a request id that the API uses", async () => {
    const { client, emulator } = await startClient();
    await client.call("listProjects", {}, readOptions);
    await client.call("listProjects", {}, readOptions);
    const journal = emulator.journal();
    expect(journal.map(({ userAgent }) => userAgent?.split(" ")[0])).toEqual(
        journal.map(() => `pulumi-clouddb/${version}`),
    );
    const ids = journal.map(({ requestId }) => requestId);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) {
        expect(id).toMatch(/^[0-9a-f-]{36}$/);
    }
});

it("the headers of a request contain a key pair as HTTP Basic authentication", async () => {
    const { emulator, project } = await startClient();
    const client = new Client(withKeyPair(emulator.url, "emulator", "emulator-secret"));
    expect(await client.call("listVpcs", { path: { project_id: project } }, readOptions)).toEqual([]);
    expect((await client.call("getAuthInfo", {}, readOptions)).api_key?.public_key).toBe("emulator");
});

describe("an id with special characters in a path", () => {
    it.each(["../x", "a/b", "%2e", "%2e%2e", "..%2f", "a?b", "a#b", "a b", "ü", "\\..\\x", "a;b"])(
        "the id %j is encoded in the path and reaches the API unchanged",
        async (id) => {
            const { client, emulator, project } = await startClient();
            const path = { project_id: project, service_id: id };
            const error = await failureOf(client.call("getService", { path }, readOptions), ApiError);
            expect(error.status).toBe(404);
            const [entry] = emulator.journal();
            expect(entry?.operationId).toBe("getService");
            const segments = (entry?.path ?? "").split("/");
            expect(segments).toHaveLength(6);
            expect(decodeURIComponent(segments[5] ?? "")).toBe(id);
        },
    );
});

it("responses have an attached VPC only under its current name", async () => {
    const { client, project, make, finish } = await startClient();
    const { service_id = "", vpc_id = "" } = await make("Vpc", "Service");
    const path = { project_id: project, service_id };
    await client.call("attachToVPC", { path, body: { vpc_id } }, readOptions);
    finish();
    const answer = await client.call("getService", { path }, readOptions);
    expect(answer.vpc_endpoint?.vpc_id).toBe(vpc_id);
    expect(answer).not.toHaveProperty("vpcEndpoint");
});

it("responses can contain a service type of the brand", async () => {
    const { client, project } = await startClient({ intercept: branded("SOMEBRAND") });
    const request = { path: { project_id: project }, body: { name: "db", addons: ["time-series" as const] } };
    expect((await client.call("createService", request, readOptions)).service_type).toBe("SOMEBRAND");
});

it("responses can contain an unknown status", async () => {
    const { client, emulator, project, make } = await startClient();
    const { service_id = "" } = await make("Service");
    emulator.setServiceStatus(service_id, "TELEPORTING");
    const path = { project_id: project, service_id };
    expect((await client.call("getService", { path }, readOptions)).status).toBe("TELEPORTING");
});
