import type { FunctionContext } from "../../../provider/functions/function";
import { getServiceLogs } from "../../../provider/functions/logs";
import * as clouddb from "../../../sdk/nodejs";
import { longMs, startConnected, type TestWorld } from "../../support/emulator";

let world: TestWorld;

beforeEach(async () => {
    world = await startConnected();
});

const read = clouddb.getServiceLogs;
const requests = () => world.emulator.journal().filter(({ operationId }) => operationId === "getServiceLogs").length;

test("getServiceLogs returns each entry once, newest first, and requests as many pages as it needs", async () => {
    const { service_id: serviceId } = await world.readyService();
    world.emulator.fillLogs(serviceId, 1200);
    const entries = await read({ serviceId, limit: 2000 });
    expect(entries.length).toBeGreaterThanOrEqual(1200);
    const times = entries.map(({ timestamp = "" }) => timestamp);
    expect(times).toEqual([...times].sort().reverse());
    expect(requests()).toBe(Math.ceil(entries.length / 500));
});

test.each([
    [undefined, 500, 1],
    [501, 501, 2],
    [3, 3, 1],
    [0, 0, 0],
])("with the limit %s, getServiceLogs returns %d entries after %d requests", async (limit, count, pages) => {
    const { service_id: serviceId } = await world.readyService();
    world.emulator.fillLogs(serviceId, 1200);
    const args = { serviceId, limit, since: undefined, node: undefined } as object as clouddb.GetServiceLogsArgs;
    await expect(read(args)).resolves.toHaveLength(count);
    expect(requests()).toBe(pages);
});

test("getServiceLogs passes its filters to the API", async () => {
    const { service_id: serviceId } = await world.readyService({ replica_count: 1 });
    world.emulator.fillLogs(serviceId, 50);
    const errors = await read({ serviceId, severities: ["ERROR", "WARNING"] });
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.every(({ severity = "" }) => ["ERROR", "WARNING"].includes(severity))).toBe(true);
    const ready = await read({ serviceId, search: "ready to accept" });
    expect(ready.map(({ message }) => message)).toEqual(["database system is ready to accept connections"]);
    world.clock.advance(longMs);
    const since = new Date(world.clock.now()).toISOString();
    world.emulator.fillLogs(serviceId, 10);
    const recent = await read({ serviceId, since });
    expect(recent.length).toBeGreaterThan(0);
    await expect(read({ serviceId, until: since })).resolves.toHaveLength(
        (await read({ serviceId })).length - recent.length,
    );
    expect((await read({ serviceId, node: "1" })).length).toBeLessThan((await read({ serviceId })).length);
});

test("a search can have several texts, which the API receives one by one", async () => {
    const { service_id: serviceId } = await world.readyService();
    const messages = async (search: string | string[]) =>
        (await read({ serviceId, search })).map(({ message }) => message);
    await expect(messages(["ready to", "accept"])).resolves.toEqual(["database system is ready to accept connections"]);
    const { path = "" } = world.emulator.journal().at(-1) ?? {};
    expect(new URL(path, "http://127.0.0.1").searchParams.getAll("search")).toEqual(["ready to", "accept"]);
    await expect(messages(["ready to", "deadlock"])).resolves.toEqual([]);
    await expect(read({ serviceId, search: [] })).resolves.toEqual(await read({ serviceId }));
});

/** The log of a service whose API returns these pages, and the queries of its requests. */
function logOf(pageOf: (index: number, query: { cursor?: string; until?: string }) => object) {
    const queries: { cursor?: string; until?: string }[] = [];
    const call = (_: string, { query }: { query: object }) => {
        queries.push(query);
        return Promise.resolve({ logs: [], ...pageOf(queries.length - 1, query) });
    };
    const context = { client: { call }, projectId: () => "project001", options: {} } as unknown as FunctionContext;
    return { queries, entries: (limit = 500) => getServiceLogs.run({ serviceId: "service001", limit }, context) };
}

test.each([
    ["itself", ["a", "a"]],
    ["an earlier one", ["a", "b", "c", "a", "b", "c"]],
])("getServiceLogs fails if a page points to %s", async (_, cursors) => {
    const { queries, entries } = logOf((index) => ({ entries: [{ message: "x" }], last_cursor: cursors[index] }));
    await expect(entries()).rejects.toThrow("the API returned the same page twice");
    expect(queries.map(({ cursor }) => cursor)).toEqual([undefined, ...new Set(cursors)]);
});

test("getServiceLogs fails after 100 pages without entries, which no limit ends", async () => {
    // A page with an entry does not count, and does not begin anew.
    const { queries, entries } = logOf((index) => ({
        entries: index === 50 ? [{ message: "x" }] : [],
        last_cursor: String(index),
    }));
    await expect(entries(2)).rejects.toThrow("the API returned 100 pages without entries");
    expect(queries).toHaveLength(101);
});

test.each([
    ["node", "primary"],
    ["search", ""],
    ["search", ["a", ""]],
    ["search", 7],
    ["since", "x"],
    ["until", "2026-02-30T00:00:00Z"],
    ["severities", [""]],
    ["limit", 1.5],
])("getServiceLogs refuses another form of an argument before any request: %s %j", async (name, value) => {
    const { service_id: serviceId } = await world.readyService();
    await expect(read({ serviceId, [name]: value })).rejects.toThrow(`${name} `);
    expect(requests()).toBe(0);
});

test("the pages after the first one end where that one began", async () => {
    const pages = [
        { entries: [{ message: "new", timestamp: "2026-01-01T00:00:01.000Z" }], last_cursor: "a" },
        { entries: [{ message: "old", timestamp: "2026-01-01T00:00:00.000Z" }] },
    ];
    const { queries, entries } = logOf((index) => pages[index] ?? {});
    expect((await entries()).map(({ message }) => message)).toEqual(["new", "old"]);
    expect(queries.map(({ until }) => until)).toEqual([undefined, "2026-01-01T00:00:01.001Z"]);
});

test("entries without a time and a severity are texts", async () => {
    const { entries } = logOf(() => ({ logs: ["one", "two"] }));
    await expect(entries()).resolves.toEqual([{ message: "one" }, { message: "two" }]);
});
