import { Differences } from "../../acceptance/differences";
import { startGateway, type Gateway } from "../../acceptance/gateway";
import { Guard } from "../../acceptance/guard";
import { json, serve, type Loopback } from "../../support/loopback";

const run = { projectId: "acceptance", prefix: "clouddb-acceptance-0123456789ab-" };
const services = "/projects/acceptance/services";

let gateway: Gateway;

/** Starts a gateway to an API with this base path. */
async function start(handle: Parameters<typeof serve>[0], base = "/public/api/v1") {
    const api: Loopback = await serve(handle);
    const differences = new Differences();
    const guard = new Guard(run, { services: 1, cpuMillis: 1_000, replicas: 2 });
    gateway = await startGateway(`http://${api.host}${base}`, guard, differences);
    const send = (method: string, path: string, body?: object) =>
        fetch(gateway.url + path, {
            method,
            headers: { authorization: "Bearer token" },
            ...(body && { body: JSON.stringify(body) }),
        });
    return { api, differences, send };
}

test("a request reaches the API with its query, token and body, and its response the provider", async () => {
    const { api, send } = await start((response) =>
        json(response, 202, { service_id: "orders0001" }, { date: "then" }),
    );
    const body = { name: `${run.prefix}orders` };
    const created = await send("POST", services, body);
    expect(created.status).toBe(202);
    expect(created.headers.get("date")).toBe("then");
    expect(await created.json()).toEqual({ service_id: "orders0001" });
    await send("GET", `${services}/orders0001/logs?cursor=a%20b`);
    expect(api.received).toMatchObject([
        { method: "POST", url: `/public/api/v1${services}`, body: JSON.stringify(body) },
        { method: "GET", url: `/public/api/v1${services}/orders0001/logs?cursor=a%20b` },
    ]);
    expect(api.received.map(({ headers }) => headers.authorization)).toEqual(["Bearer token", "Bearer token"]);
});

test("a rejected change does not reach the API, and the provider gets the reason", async () => {
    const { api, send } = await start((response) => json(response, 200, {}));
    const response = await send("DELETE", `${services}/foreign001`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
        message: 'deleteService: "foreign001" was not created by this run.',
    });
    expect(gateway.rejections).toEqual(['deleteService: "foreign001" was not created by this run.']);
    expect(api.received).toEqual([]);
});

test("the differences of all responses are counted", async () => {
    const { differences, send } = await start((response) => json(response, 200, [{ id: "1", title: "net" }]));
    await send("GET", "/projects");
    await send("GET", "/projects");
    expect(differences.all).toEqual([
        'listProjects 200: [] has no field "name"',
        'listProjects 200: [] has the undocumented field "title"',
    ]);
    expect(differences.report("https://api")).toBe(
        "2 differences between https://api and the documented contract:\n" +
            '  listProjects 200: [] has no field "name" (2 times)\n' +
            '  listProjects 200: [] has the undocumented field "title" (2 times)\n',
    );
});

test("a broken connection to the API is a broken connection to the provider", async () => {
    const { send } = await start((_, __, raw) => raw.socket.destroy());
    await expect(send("GET", "/projects")).rejects.toThrow("fetch failed");
});
