/** Each test uses a fork of one seeded database, so its changes do not affect other tests. */
const { Client } = require("pg");
const { startEmulator } = require("pulumi-clouddb/emulator");
const { migrate } = require("./migrate");
const { addOrder, listOrders } = require("./orders");

const pollMs = 20;

let emulator;
let seeded;
let client;

/** Sends a request that creates a service, and waits until the service is READY. */
async function createService(path, input) {
    const url = `${emulator.url}/projects/${emulator.projectId}/services`;
    const headers = { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" };
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(input) });
    const { service_id: id, initial_password: password } = await response.json();
    for (;;) {
        const { status, endpoint } = await (await fetch(`${url}/${id}`, { headers })).json();
        const ssl = { ca: emulator.certificate.pem };
        if (status === "READY") {
            return { id, ...endpoint, user: "tsdbadmin", password, database: "tsdb", ssl };
        }
        await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
}

beforeAll(async () => {
    emulator = await startEmulator({ postgres: true, speed: 1000 });
    seeded = await createService("", { name: "seeded" });
    await migrate(seeded);
    const seeding = new Client(seeded);
    await seeding.connect();
    await addOrder(seeding, "a chair");
    await seeding.end();
}, 60_000);

afterAll(() => emulator.close(), 60_000);

beforeEach(async () => {
    client = new Client(await createService(`/${seeded.id}/forkService`, { fork_strategy: "NOW" }));
    await client.connect();
}, 30_000);

afterEach(() => client.end());

test("a new order is listed after the existing orders", async () => {
    await addOrder(client, "a table");
    expect(await listOrders(client)).toEqual([
        { item: "a chair", quantity: 1 },
        { item: "a table", quantity: 1 },
    ]);
});

test("a change in one test does not affect the other tests", async () => {
    await client.query("DELETE FROM orders");
    expect(await listOrders(client)).toEqual([]);
});

test("the schema is up to date in a fork", async () => {
    expect(await listOrders(client)).toHaveLength(1);
});
