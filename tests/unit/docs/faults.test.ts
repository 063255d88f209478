import { loadContract } from "../../../emulator/contract";
import { checkFaults } from "../../../emulator/faults/check";
import { effectKinds } from "../../../emulator/faults/fields";
import { blocksOf, read } from "../../support/documents";

const page = "docs/emulator.md";
const operations = loadContract().operationIds;

/** What stands as code in the first cell of the rows that follow a heading. */
function firstCells(head: string): string[] {
    const rows = read(page).split(new RegExp(`^\\| ${head} +\\|.*$`, "m"))[1] ?? "";
    const [table = ""] = rows.split("\n\n");
    return [...table.matchAll(/^\| `(.+?)` +\|/gm)].map(([, code = ""]) => code.replaceAll("\\|", "|"));
}

test.each(firstCells("fault"))("%s is a fault", (text) => {
    expect(checkFaults([text], operations)).toHaveLength(1);
});

test("there are examples of faults, and every effect is explained", () => {
    expect(firstCells("fault").length).toBeGreaterThan(4);
    expect(firstCells("effect").sort()).toEqual([...effectKinds].sort());
});

test("the file of faults is one", () => {
    const [block] = blocksOf(page, ["json"]);
    const { faults } = JSON.parse(block?.text ?? "") as { faults: unknown[] };
    expect(checkFaults(faults, operations)).toHaveLength(2);
});
