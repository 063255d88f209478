/** Each test uses a fork of one seeded database, so its changes do not affect other tests. */
const { Client } = require("pg");
const { startEmulator } = require("pulumi-clouddb/emulator");
const { migrate } = require("./migrate");
const { addOrder, listOrders } = require("./orders");

let emulator;
let seeded;
let client;

beforeAll(async () => {
    emulator = await startEmulator({ postgres: true, speed: 1000 });
    seeded = await emulator.createService({ name: "seeded" });
    await migrate(seeded);
    const seeding = new Client(seeded);
    await seeding.connect();
    await addOrder(seeding, "a chair");
    await seeding.end();
}, 60_000);

afterAll(() => emulator.close(), 60_000);

beforeEach(async () => {
    client = new Client(await emulator.fork(seeded));
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
