import { FakeClone, removeClones } from "./fakeClone";

afterEach(removeClones);

describe("what it shows", () => {
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
            const text = await load("quickstart/text.mjs");
            const entries = ${JSON.stringify(entries)};
            return text.${call};`);
    const withoutTime = (lines: unknown): string[] =>
        (lines as string[]).map((line) => line.replace(/^[\d:]{8} {2}/, ""));

    it("is a journal in which reads in a row are one line, unless they failed", async () => {
        expect(withoutTime(await text("journalTable(entries)"))).toEqual([
            "     GET   1 read: listVpcs",
            '201  POST  /vpcs  {"name":"n"}',
            "404  GET   /services/a",
            "     GET   2 reads: 2 getService",
            "202  POST  /services/a/resize",
        ]);
    });

    it("is a journal of each request when all are wanted", async () => {
        expect(await text("journalTable(entries, { all: true })")).toHaveLength(entries.length);
    });

    it("is cut at the width of the terminal", async () => {
        const lines = (await text("journalTable(entries, { width: 30 })")) as string[];
        expect(Math.max(...lines.map((line) => line.length))).toBe(30);
    });

    it("is a count of the requests of a run", async () => {
        expect(await text("countRequests(entries)")).toBe("createVpc, resizeService, 4 reads");
        expect(await text("countRequests([])")).toBe("none");
    });
});
