import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ledger } from "../../../provider/model/ledger";
import { root } from "../../support/documents";
import { callIn, recordedCalls } from "../../support/engineCalls";

// The comment of the ledger has the only table of the engine's calls. It must agree with what the engine has called.

const comment = readFileSync(join(root, "provider/model/ledger.ts"), "utf8").split("export class")[0] ?? "";

/** The rows of the table: run, calls and host. */
const table = comment
    .split("\n")
    .filter((line) => line.startsWith(" * | ") && !line.startsWith(" * | run"))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map(([, run = "", calls = "", host = ""]) => ({ run, calls, host }));

/** The recorded run, and the resource in it, that shows a row. */
const shownBy: Readonly<Record<string, readonly [run: string, name: string]>> = {
    "replacement that deletes first": ["replacement that deletes first, with what it uses", "net"],
    "dependent of what is deleted first": ["replacement that deletes first, with what it uses", "office"],
};

/** The calls for one resource in one run, as the table writes them. */
const callsIn = (lines: readonly string[], wanted: string): string =>
    lines
        .map(callIn)
        .filter(({ name }) => name === wanted)
        .map(({ method, isKnown }) => `${method}${method === "check" && isKnown ? " old" : ""}`)
        .join(", ");

describe.each(["dynamic", "native"] as const)("the calls of the engine on the %s host", (host) => {
    const { engine, runs } = recordedCalls(host);
    const rows = table.filter((row) => row.host === "both" || host === "native");

    it("are those of the engine that the table names", () => {
        expect(comment).toContain(`Pulumi ${engine}`);
    });

    it.each(rows)("$run: $calls", ({ run, calls }) => {
        const [recorded, name] = shownBy[run] ?? [run, "orders"];
        expect(callsIn(runs[recorded] ?? [], name)).toBe(calls);
    });

    it("are all in the table", () => {
        const known = rows.map(({ calls }) => calls);
        const found = Object.values(runs).flatMap((lines) =>
            ["net", "office", "orders"].map((name) => callsIn(lines, name)).filter(Boolean),
        );
        expect(found.filter((calls) => !known.includes(calls))).toEqual([]);
    });
});

it("a deletion ends only the management of that resource, and the list may still show it", () => {
    const ledger = new Ledger();
    const ref = (id: string) => ({ type: "Service", projectId: "p", id });
    ledger.note("urn::orders", { manages: { ...ref("2"), isNew: true } });
    ledger.noteDeletion("urn::orders", ref("1"));
    expect(ledger.managerOf(ref("2"))?.urn).toBe("urn::orders");
    expect(["1", "2"].map((id) => ledger.isReplacedOrDeleted(ref(id), undefined))).toEqual([true, false]);
    ledger.noteDeletion("urn::orders", ref("2"));
    expect(ledger.managerOf(ref("2"))).toBeUndefined();
});
