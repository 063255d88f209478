import { loadContract } from "../../../emulator/contract";
import { checkFaults } from "../../../emulator/faults/check";
import { effectKinds } from "../../../emulator/faults/fields";
import { blocksOf, read } from "../../support/documents";

const page = "docs/emulator-reference.md";
const operations = loadContract().operationIds;

/** The code at the start of each list item after a text. */
function itemsAfter(text: string): string[] {
    const [list = ""] = (read(page).split(`${text}\n\n`)[1] ?? "").split("\n\n");
    return [...list.matchAll(/^- `(.+?)`/gm)].map(([, code = ""]) => code);
}

const examples = itemsAfter("Examples:");

test.each(examples)("%s is a valid fault", (text) => {
    expect(checkFaults([text], operations)).toHaveLength(1);
});

test("the page has examples of faults and describes every effect", () => {
    expect(examples.length).toBeGreaterThan(4);
    expect(itemsAfter("<!-- effects:begin -->").sort()).toEqual([...effectKinds].sort());
});

test("the example of a fault file is valid", () => {
    const [block] = blocksOf(page, ["json"]);
    const { faults } = JSON.parse(block?.text ?? "") as { faults: unknown[] };
    expect(checkFaults(faults, operations)).toHaveLength(2);
});
