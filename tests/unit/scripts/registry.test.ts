import { read } from "../../support/documents";
import { evaluate } from "../../support/scripts";

/** The result of a function of scripts/registry.mjs. */
const call = (name: string, ...args: unknown[]) =>
    evaluate(`return (await load("registry.mjs")).${name}(...${JSON.stringify(args)});`);

test.each(["_index.md", "installation-configuration.md"])(
    "%s has the header of the Registry, and its links lead to pages that exist",
    async (name) => {
        const text = read(`docs/${name}`);
        expect(text).toMatch(/^---\ntitle: .*CloudDB.*\nmeta_desc: .{50,160}\nlayout: package\n---\n/);

        const converted = String(await call("withRegistryLinks", text, "https://git.example.com/clouddb/docs"));
        const relative = [...converted.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map(([, link]) => link);
        expect(relative.filter((link) => !/^(\.\.\/|\.\/installation-configuration\/)(#|$)/.test(link ?? ""))).toEqual(
            [],
        );
    },
);

test("the overview shows the programs of the examples in each language of its chooser", async () => {
    const text = String(await call("withPrograms", read("docs/_index.md")));
    const [, chooser = ""] = /\{\{< chooser language "([\w,]+)" >\}\}/.exec(text) ?? [];
    const shown = [...text.matchAll(/^\{\{% choosable language (\w+) %\}\}\n\n```(\w+)\n([^]*?)^```$/gm)];
    const languages = ["typescript", "python", "go", "yaml", "java"];
    expect(chooser.split(",")).toEqual(languages);
    expect(shown.map(([, of, block]) => [of, block])).toEqual(languages.map((language) => [language, language]));
    expect(shown[1]?.[3]).toBe(read("examples/python/__main__.py"));
    expect(text).not.toContain("The same program in");
});
