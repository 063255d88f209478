import { join } from "node:path";
import { read } from "../../support/documents";

const page = "docs/pulumi-features.md";

/** The rows of the first table: the feature, and the test that shows its behaviour. */
const rows = (read(page).split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .map((cells) => ({ feature: cells[1] ?? "", test: /^\[(.+)\]\((.+)\)$/.exec(cells[4] ?? "") }));

test.each(rows)("$feature: the test of the row exists", ({ test }) => {
    const [, name = "", file = ""] = test ?? [];
    const titles = [...read(join("docs", file)).matchAll(/\b(?:test|it)\(\s*"((?:[^"\\]|\\.)+)"/g)].map(
        ([, title]) => title,
    );
    expect(titles).toContain(name);
});

test("the table has a row for each Pulumi feature that programs or pipelines use", () => {
    const features = rows.map(({ feature }) => feature).join();
    const expected = [
        "dependsOn",
        "protect",
        "ignoreChanges",
        "aliases",
        "retainOnDelete",
        "deleteBeforeReplace",
        "replaceOnChanges",
        "customTimeouts",
        "transforms",
        "import",
        "--target",
        "--replace",
        "state move",
        "state rename",
        "StackReference",
        "mocks",
        "Automation API",
        "Ctrl-C",
    ];
    expect(expected.filter((feature) => !features.includes(feature))).toEqual([]);
});
