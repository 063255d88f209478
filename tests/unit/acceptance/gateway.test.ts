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
    const guard = new Guard(run, { services: 1, cpuMillis: 1_000, replicas: 2 });
    gateway = await startGateway(`http://${api.host}${base}`, guard, new Differences());
    const send = (method: string, path: string) => fetch(gateway.url + path, { method });
    return { api, send };
}

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

test("a broken connection to the API is a broken connection to the provider", async () => {
    const { send } = await start((_, __, raw) => raw.socket.destroy());
    await expect(send("GET", "/projects")).rejects.toThrow("fetch failed");
});
