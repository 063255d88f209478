import { parse } from "yaml";
import { read } from "../../support/documents";

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

test("the schema has the metadata that the Pulumi Registry shows", () => {
    const schema = JSON.parse(read("provider/hosts/native/schema.gen.json")) as Record<string, unknown>;
    expect(schema).toMatchObject({ name: "clouddb", displayName: "CloudDB", license: "Apache-2.0" });
    expect(schema.description).toMatch(/./);
    expect(schema.keywords).toEqual(expect.arrayContaining(["pulumi", "category/database", "kind/native"]));
});
