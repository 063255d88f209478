import { pageFile } from "../../../provider/base/installation";
import { filesBelow, pages, read } from "../../support/documents";

const sources = ["provider", "sdk/nodejs", "cli", "plugin"].flatMap((folder) => filesBelow(folder, ".ts"));

it("a message names a page by its file in the package that npm has installed", () => {
    expect(pageFile("protection")).toBe("node_modules/pulumi-clouddb/docs/protection.md");
});

it("each page that a message names exists", () => {
    const named = sources.flatMap((file) => [...read(file).matchAll(/\bpageFile\("([^"]+)"\)/g)]);
    const files = new Set(named.map(([, name = ""]) => `docs/${name}.md`));
    expect(files.size).toBeGreaterThan(2);
    expect([...files].filter((file) => !pages.includes(file))).toEqual([]);
});

it("no message names a page in another way", () => {
    const others = sources.filter((file) => /(?<!\.com\/)\bdocs\/\w/.test(read(file)));
    expect(others).toEqual([]);
});
