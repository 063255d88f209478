import { loadContract } from "../../../emulator/contract";
import { checkFaults } from "../../../emulator/faults/check";
import { effectKinds } from "../../../emulator/faults/fields";
import { blocksOf, read } from "../../support/documents";

const page = "docs/emulator.md";
const operations = loadContract().operationIds;

/** The code in the first cells of the table with this heading. */
function firstCells(head: string): string[] {
    const rows = read(page).split(new RegExp(`^\\| ${head} +\\|.*$`, "m"))[1] ?? "";
    const [table = ""] = rows.split("\n\n");
    return [...table.matchAll(/^\| `(.+?)` +\|/gm)].map(([, code = ""]) => code.replaceAll("\\|", "|"));
}

test.each(firstCells("fault"))("%s is a valid fault", (text) => {
    expect(checkFaults([text], operations)).toHaveLength(1);
});

test("the page has examples of faults and describes every effect", () => {
    expect(firstCells("fault").length).toBeGreaterThan(4);
    expect(firstCells("effect").sort()).toEqual([...effectKinds].sort());
});

test("the example of a fault file is valid", () => {
    const [block] = blocksOf(page, ["json"]);
    const { faults } = JSON.parse(block?.text ?? "") as { faults: unknown[] };
    expect(checkFaults(faults, operations)).toHaveLength(2);
});
