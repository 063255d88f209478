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
    return { ...world, id, path, page };
};

it("the log of a service contains its status changes, newest first, as text and as entries in the same order", async () => {
    const { page } = await start();
    const { logs, entries = [] } = await page();
    expect(logs[0]).toBe("database system is ready to accept connections");
    expect(logs.at(-1)).toBe("service requested");
    expect(entries.map(({ message }) => message)).toEqual(logs);
});

it("the log of a service neither skips nor repeats entries between pages while it grows", async () => {
    const { emulator, id, page } = await start(1_400);
    const read = async (growing: number) => {
        const { entries = [], last_cursor: cursor = "" } = await page();
        emulator.fillLogs(id, growing);
        const { entries: rest = [], last_cursor: end } = await page({ cursor });
        expect(end).toBeUndefined();
        return [...entries, ...rest];
    };
    const whole = await read(0);
    expect(whole.length).toBeGreaterThan(700);
    expect(await read(10)).toEqual(whole);
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
