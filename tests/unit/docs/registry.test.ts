import { parse } from "yaml";
import { blocksOf, read } from "../../support/documents";

/** The metadata at the start of a Pulumi Registry page. */
function frontMatter(page: string): unknown {
    const [, text = ""] = /^---\n(.+?)\n---\n/s.exec(read(page)) ?? [];
    return parse(text);
}

test.each(["docs/_index.md", "docs/installation-configuration.md"])(
    "%s has the metadata of the Pulumi Registry",
    (page) => {
        expect(frontMatter(page)).toEqual({
            title: expect.stringContaining("CloudDB") as string,
            meta_desc: expect.stringMatching(/^.{50,160}$/) as string,
            layout: "package",
        });
    },
);

test.each([
    { language: "python", example: "examples/python/__main__.py" },
    { language: "go", example: "examples/go/main.go" },
    { language: "yaml", example: "examples/yaml/Pulumi.yaml" },
])("the overview of the Pulumi Registry shows the $language program that the tests run", ({ language, example }) => {
    const [block] = blocksOf("docs/_index.md", [language]);
    expect(block?.text.trim()).toBe(read(example).trim());
});

test("the overview of the Pulumi Registry has a program in each language of its chooser", () => {
    const text = read("docs/_index.md");
    const [, languages = ""] = /\{\{< chooser language "([\w,]+)" >\}\}/.exec(text) ?? [];
    expect([...text.matchAll(/\{\{% choosable language (\w+) %\}\}/g)].map(([, one]) => one)).toEqual(
        languages.split(","),
    );
    for (const language of languages.split(",")) {
        expect(blocksOf("docs/_index.md", [language])).toHaveLength(1);
    }
});

test("the schema has the metadata that the Pulumi Registry shows", () => {
    const schema = JSON.parse(read("provider/hosts/native/schema.gen.json")) as Record<string, unknown>;
    expect(schema).toMatchObject({ name: "clouddb", displayName: "CloudDB", license: "Apache-2.0" });
    expect(schema.description).toMatch(/./);
    expect(schema.keywords).toEqual(expect.arrayContaining(["pulumi", "category/database", "kind/native"]));
});
