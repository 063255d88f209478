import { readServiceLogs } from "../../../provider/functions/logs";
import * as clouddb from "../../../sdk/nodejs";
import { longMs, startConnected, type TestWorld } from "../../support/emulator";

let world: TestWorld;

beforeEach(async () => {
    world = await startConnected();
});

const read = async (args: Omit<clouddb.GetServiceLogsArgs, "serviceId"> & { serviceId: string }) => {
    const entries: clouddb.LogEntry[] = [];
    for await (const entry of clouddb.getServiceLogs(args)) {
        entries.push(entry);
    }
    return entries;
};
const requests = () => world.emulator.journal().filter(({ operationId }) => operationId === "getServiceLogs").length;

test("getServiceLogs reads all pages and returns each entry once, newest first", async () => {
    const { service_id: serviceId } = await world.readyService();
    world.emulator.fillLogs(serviceId, 1200);
    const entries = await read({ serviceId });
    expect(entries.length).toBeGreaterThanOrEqual(1200);
    const times = entries.map(({ timestamp = "" }) => timestamp);
    expect(times).toEqual([...times].sort().reverse());
    expect(requests()).toBe(Math.ceil(entries.length / 500));
});

test("getServiceLogs requests a page only when the caller reaches it", async () => {
    const { service_id: serviceId } = await world.readyService();
    world.emulator.fillLogs(serviceId, 1200);
    await expect(read({ serviceId, limit: 501 })).resolves.toHaveLength(501);
    expect(requests()).toBe(2);
    for await (const entry of clouddb.getServiceLogs({ serviceId })) {
        expect(entry.message).toMatch(/./);
        break;
    }
    expect(requests()).toBe(3);
    await expect(read({ serviceId, limit: 0 })).resolves.toEqual([]);
    expect(requests()).toBe(3);
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

test.each([
    ["itself", ["a", "a"]],
    ["an earlier one", ["a", "b", "c", "a", "b", "c"]],
])("getServiceLogs fails if a page points to %s", async (_, cursors) => {
    const [left, messages] = [[...cursors], [] as string[]];
    const getPage = ({ cursor = "" }) => Promise.resolve({ entries: [{ message: cursor }], next: left.shift() ?? "" });
    const all = (async () => {
        for await (const { message } of readServiceLogs({ serviceId: "service001" }, getPage)) {
            messages.push(message);
        }
    })();
    await expect(all).rejects.toThrow("the API returned the same page twice");
    expect(messages).toEqual(["", ...new Set(cursors)]);
});

test("getServiceLogs fails after 100 pages without entries, which no limit ends", async () => {
    let asked = 0;
    // A page with an entry does not count, and does not begin anew.
    const getPage = () => Promise.resolve({ entries: asked === 50 ? [{ message: "x" }] : [], next: `${(asked += 1)}` });
    const all = (async () => {
        for await (const { message } of readServiceLogs({ serviceId: "service001", limit: 2 }, getPage)) {
            expect(message).toBe("x");
        }
    })();
    await expect(all).rejects.toThrow("the API returned 100 pages without entries");
    expect(asked).toBe(101);
});

test.each([
    ["node", "primary"],
    ["search", ""],
    ["since", "x"],
    ["until", "2026-02-30T00:00:00Z"],
    ["severities", [""]],
    ["limit", 1.5],
])("getServiceLogs refuses another form of an argument before any request: %s %j", async (name, value) => {
    const { service_id: serviceId } = await world.readyService();
    await expect(read({ serviceId, [name]: value })).rejects.toThrow(`${name} `);
    expect(requests()).toBe(0);
});

test("an argument of getServiceLogs that is undefined has its default, also of the function that returns all entries", async () => {
    const { service_id: serviceId } = await world.readyService();
    world.emulator.fillLogs(serviceId, 1200);
    const unset = { limit: undefined, since: undefined, node: undefined } as object;
    const all = await new Promise<readonly clouddb.LogEntry[]>((resolve) => {
        clouddb.getServiceLogsOutput({ serviceId, ...unset }).apply(resolve);
    });
    expect(all).toHaveLength(500);
    expect(requests()).toBe(1);
});

test("the pages after the first one end where that one began", async () => {
    const pages = [
        { entries: [{ message: "new", timestamp: "2026-01-01T00:00:01.000Z" }], next: "a" },
        { entries: [{ message: "old", timestamp: "2026-01-01T00:00:00.000Z" }] },
    ];
    const asked: (string | undefined)[] = [];
    const getPage = ({ until }: clouddb.GetServiceLogsArgs) => {
        asked.push(until);
        return Promise.resolve(pages[asked.length - 1] ?? { entries: [] });
    };
    const entries = readServiceLogs({ serviceId: "service001" }, getPage);
    expect([await entries.next(), await entries.next()].map(({ value }) => value?.message)).toEqual(["new", "old"]);
    expect(asked).toEqual([undefined, "2026-01-01T00:00:01.001Z"]);
});
