import { casesPage, pageFile } from "../../../provider/base/installation";
import { resourceTypes } from "../../../provider/resources";
import { anchorOf, filesBelow, pages, read } from "../../support/documents";

const sources = ["provider", "sdk/nodejs", "cli", "plugin"].flatMap((folder) => filesBelow(folder, ".ts"));

it("a message names a page by its file in the package that npm has installed", () => {
    expect(pageFile("protection")).toBe("node_modules/pulumi-clouddb/docs/protection.md");
});

it("each page that a message names exists", () => {
    const named = sources.flatMap((file) => [...read(file).matchAll(/\bpageFile\("([^"]+)"\)/g)]);
    const files = new Set(named.map(([, name = ""]) => `docs/${name}.md`));
    expect(files.size).toBeGreaterThan(1);
    expect([...files].filter((file) => !pages.includes(file))).toEqual([]);
});

it("no message names a page in another way", () => {
    const others = sources.filter((file) => /(?<!\.com\/|@see \S*)\bdocs\/\w/.test(read(file)));
    expect(others).toEqual([]);
});

it("the comment of each class ends with the path of its page", () => {
    const named = sources.flatMap((file) => [...read(file).matchAll(/@see \S+?\/(docs\/\S+)/g)]);
    expect(named).toHaveLength(resourceTypes.length + 1);
    for (const [, path = ""] of named) {
        const [file = "", anchor] = path.split("#");
        const anchors = [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => anchorOf(title));
        expect([path, anchor === undefined || anchors.includes(anchor)]).toEqual([path, true]);
    }
});

it("a message names the page about protection also by its title", () => {
    expect(read("docs/protection.md").split("\n")[0]).toBe(`# ${JSON.parse(casesPage.split(", ")[0] ?? "")}`);
});
