import { FakeClone, removeClones } from "./fakeClone";

afterEach(removeClones);

describe("the journal of the quickstart", () => {
    const entries = [
        { at: 0, method: "GET", path: "/v1/projects/quickstart/vpcs", operationId: "listVpcs", status: 200 },
        {
            at: 0,
            method: "POST",
            path: "/v1/projects/quickstart/vpcs",
            operationId: "createVpc",
            status: 201,
            body: { name: "n" },
        },
        { at: 0, method: "GET", path: "/v1/projects/quickstart/services/a", operationId: "getService", status: 404 },
        { at: 0, method: "GET", path: "/v1/projects/quickstart/services/a", operationId: "getService", status: 200 },
        { at: 0, method: "GET", path: "/v1/projects/quickstart/services/a", operationId: "getService", status: 200 },
        {
            at: 0,
            method: "POST",
            path: "/v1/projects/quickstart/services/a/resize",
            operationId: "resizeService",
            status: 202,
        },
    ];
    const text = (call: string): Promise<unknown> =>
        new FakeClone().evaluate(`
            const { journalTable } = await load("quickstart.mjs");
            const entries = ${JSON.stringify(entries)};
            return ${call};`);
    const withoutTime = (lines: unknown): string[] =>
        (lines as string[]).map((line) => line.replace(/^[\d:]{8} {2}/, ""));

    it("the journal omits successful reads", async () => {
        expect(withoutTime(await text("journalTable(entries)"))).toEqual([
            '201  POST  /vpcs  {"name":"n"}',
            "404  GET   /services/a",
            "202  POST  /services/a/resize",
            "and 3 successful reads, shown with --all",
        ]);
    });

    it("the journal contains each request with the option `all`", async () => {
        expect(await text("journalTable(entries, { all: true })")).toHaveLength(entries.length);
    });
});
