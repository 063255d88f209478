import type { NumberedEntry, Removed } from "../../../../emulator/page/messages";
import type { Resource } from "../../../../emulator/page/browser/kinds";
import { runOf } from "../../../../emulator/page/browser/run";

const dated = (statuses: [status: string, at: number][]) => statuses.map(([status, at]) => ({ status, at }));

const service = (id: string, statuses: [status: string, at: number][], nextAt?: number): Resource => {
    const next = nextAt === undefined ? {} : { next: { status: "READY", at: nextAt } };
    return { kind: "services", id, name: id, value: {}, statuses: dated(statuses), ...next } as unknown as Resource;
};

const entry = (number: number, at: number, path: string, more: Partial<NumberedEntry> = {}): NumberedEntry => ({
    number,
    at,
    path,
    method: "POST",
    operationId: undefined,
    status: 202,
    durationMs: 10,
    body: undefined,
    requestId: "id",
    userAgent: undefined,
    ...more,
});

const created = (from: number, ms: number): [string, number][] => [
    ["QUEUED", from],
    ["CONFIGURING", from + 1_000],
    ["READY", from + ms],
];

const world = (parts: Partial<Parameters<typeof runOf>[0]>) => ({
    now: 100_000,
    resources: [],
    removed: [] as Removed[],
    entries: [] as NumberedEntry[],
    ...parts,
});

it("there is no run without a change", () => {
    expect(runOf(world({}))).toBeUndefined();
    expect(runOf(world({ entries: [entry(0, 99_000, "/v1/projects", { method: "GET" })] }))).toBeUndefined();
});

it("a run has a lane for each changed resource with its statuses and requests, in the order of their begin", () => {
    const run = runOf(
        world({
            resources: [service("late", created(60_000, 9_000)), service("early", created(50_000, 9_000))],
            entries: [
                entry(0, 50_000, "/v1/projects/p/services", { response: { service_id: "early" } }),
                entry(1, 60_000, "/v1/projects/p/services", { response: { service_id: "late" } }),
                entry(2, 61_000, "/v1/projects/p/services/late", { method: "GET" }),
            ],
        }),
    );
    expect(run).toMatchObject({ begin: 50_000, end: 69_000 });
    expect(run?.lanes.map(({ name, ticks }) => [name, ticks.map(({ number }) => number)])).toEqual([
        ["early", [0]],
        ["late", [1, 2]],
    ]);
    expect(run?.lanes[1]?.segments.map(({ status, from, to }) => [status, from, to])).toEqual([
        ["QUEUED", 60_000, 61_000],
        ["CONFIGURING", 61_000, 69_000],
    ]);
});

it("a run begins after a pause of more than 30 seconds", () => {
    const resources = [service("old", created(10_000, 5_000)), service("new", created(80_000, 5_000))];
    const run = runOf(world({ resources }));
    expect(run?.begin).toBe(80_000);
    expect(run?.lanes.map(({ name }) => name)).toEqual(["new"]);
    const entries = [entry(0, 45_000, "/v1"), entry(1, 70_000, "/v1")];
    expect(runOf(world({ resources, entries }))?.begin).toBe(10_000);
});

it("a run continues while a change is in progress, but not while a resource only waits for a person", () => {
    const statuses = created(50_000, 9_000).slice(0, 2);
    expect(runOf(world({ resources: [service("db", statuses, 120_000)] }))?.end).toBe(100_000);
    expect(runOf(world({ resources: [service("db", statuses)] }))?.end).toBe(51_000);
});

it("a deleted resource keeps its lane until its deletion", () => {
    const statuses = dated([...created(1_000, 5_000), ["DELETING", 96_000]]);
    const removed: Removed[] = [{ kind: "services", id: "db", name: "db", removedAt: 98_000, statuses }];
    expect(runOf(world({ removed }))?.lanes).toMatchObject([
        { name: "db", isRemoved: true, segments: [{ status: "DELETING", from: 96_000, to: 98_000 }] },
    ]);
});
