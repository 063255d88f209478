import type { Wire } from "../../../emulator/wire";
import { startWorld } from "../../support/emulator";

const start = async (lines = 0) => {
    const world = await startWorld();
    const { service_id: id } = await world.readyService({ replica_count: 1 });
    if (lines > 0) {
        world.emulator.fillLogs(id, lines);
    }
    const path = `${world.project}/services/${id}/logs`;
    const page = async (query: Record<string, string> = {}) => {
        const search = new URLSearchParams(query).toString();
        return (await world.api<Wire["ServiceLogsResponse"]>("GET", search ? `${path}?${search}` : path)).body;
    };
    const walk = async (query: Record<string, string> = {}) => {
        const pages = [await page(query)];
        for (let cursor = pages[0]?.last_cursor; cursor !== undefined;) {
            const next = await page({ ...query, cursor });
            pages.push(next);
            cursor = next.last_cursor;
        }
        return pages;
    };
    return { ...world, id, path, page, walk };
};

const entriesOf = (pages: Wire["ServiceLogsResponse"][]) => pages.flatMap(({ entries = [] }) => entries);

it("the log of a service contains its status changes, newest first, as text and as entries in the same order", async () => {
    const { page } = await start();
    const { logs, entries = [] } = await page();
    expect(logs[0]).toBe("database system is ready to accept connections");
    expect(logs.at(-1)).toBe("service requested");
    expect(entries.map(({ message }) => message)).toEqual(logs);
});

it("the log of a service has pages of 500 entries, and each page but the last has a cursor under both names", async () => {
    const { walk, page } = await start(1_200);
    const pages = await walk();
    const total = 1_205;
    expect(pages.map(({ logs }) => logs.length)).toEqual([500, 500, total - 1_000]);
    expect(pages[0]).toHaveProperty("lastCursor", pages[0]?.last_cursor);
    expect(pages.at(-1)).not.toHaveProperty("last_cursor");
    expect(pages.at(-1)).not.toHaveProperty("lastCursor");
    expect((await page()).logs).toEqual(pages[0]?.logs);
});

it("the log of a service neither skips nor repeats entries between pages while it grows", async () => {
    const { emulator, id, page, walk } = await start(700);
    const whole = entriesOf(await walk());
    const first = await page();
    emulator.fillLogs(id, 10);
    const second = await page({ cursor: first.last_cursor ?? "" });
    expect(entriesOf([first, second])).toEqual(whole);
});

it("the log of a service can be filtered by text", async () => {
    const { page } = await start(50);
    const { logs } = await page({ search: "checkpoint" });
    expect(logs.length).toBeGreaterThan(0);
    expect(logs.every((line) => line.includes("checkpoint"))).toBe(true);
    expect((await page({ search: "no such words" })).logs).toEqual([]);
});

it("the log of a service can be filtered by severities, as repeated parameters or separated by commas", async () => {
    const { api, page, path } = await start(50);
    const severities = (answer: Wire["ServiceLogsResponse"]) =>
        new Set(answer.entries?.map(({ severity }) => severity));
    expect(severities(await page({ severities: "ERROR" }))).toEqual(new Set(["ERROR"]));
    expect(severities(await page({ severities: "ERROR,WARNING" }))).toEqual(new Set(["ERROR", "WARNING"]));
    const both = await api<Wire["ServiceLogsResponse"]>("GET", `${path}?severities=ERROR&severities=WARNING`);
    expect(severities(both.body)).toEqual(new Set(["ERROR", "WARNING"]));
});

it("the log of a service can be filtered by node", async () => {
    const { page } = await start(50);
    const [all, primary, replica] = [await page(), await page({ node: "0" }), await page({ node: "1" })];
    expect(replica.logs.length).toBeGreaterThan(0);
    expect(primary.logs.length + replica.logs.length).toBe(all.logs.length);
});

it("the log of a service can be filtered by time, including `since` and excluding `until`", async () => {
    const { clock, emulator, id, page } = await start();
    for (let line = 0; line < 30; line++) {
        clock.advance(1_000);
        emulator.fillLogs(id, 1);
    }
    const { entries = [] } = await page();
    const [until = "", since = ""] = [entries[10]?.timestamp, entries[20]?.timestamp];
    expect((await page({ since, until })).entries).toEqual(entries.slice(11, 21));
});

it.each([
    ["a cursor that was never returned", { cursor: "bm9uc2Vuc2U" }, "cursor"],
    ["a node that does not exist", { node: "2" }, "0 (the primary) to 1"],
    ["an invalid time", { since: "yesterday" }, "since"],
    ["an unknown parameter", { limit: "5" }, "limit"],
])("the log of a service is rejected for %s", async (_, query, message) => {
    const { api, path } = await start();
    const answer = await api("GET", `${path}?${new URLSearchParams(query as Record<string, string>).toString()}`);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(message);
});
