import { effectKinds } from "../../../emulator/faults/effects";
import { faultList } from "../../../emulator/faults/input";
import { blocksOf, read } from "../../support/documents";

const page = "docs/emulator-reference.md";

/** The code at the start of each list item after a text. */
function itemsAfter(text: string): string[] {
    const [list = ""] = (read(page).split(`${text}\n\n`)[1] ?? "").split("\n\n");
    return [...list.matchAll(/^- `(.+?)`/gm)].map(([, code = ""]) => code);
}

const examples = (blocksOf(page, ["text"])[0]?.text ?? "").split("\n").map((line) => line.split("  ")[0] ?? "");

test.each(examples)("%s is a valid fault", (text) => {
    expect(faultList.problem("faults", [text])).toBeUndefined();
});

test("an effect that lasts says for how long", () => {
    const lines = read(page).match(/^- `\w+` \(.*,ms=\d+.*$/gm) ?? [];
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.filter((line) => !line.includes("`ms`"))).toEqual([]);
});

test("the page has examples of faults and describes every effect", () => {
    expect(examples.length).toBeGreaterThan(4);
    expect(itemsAfter("<!-- effects:begin -->").sort()).toEqual([...effectKinds].sort());
});
