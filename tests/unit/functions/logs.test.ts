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
