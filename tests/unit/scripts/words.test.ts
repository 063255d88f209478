import { readFileSync } from "node:fs";
import { filesBelow, read } from "../../support/documents";
import { join } from "node:path";
import schema from "../../../provider/hosts/native/schema.gen.json";

const root = join(__dirname, "..", "..", "..");

/** All texts of the schema, without examples. */
function texts(value: unknown): string[] {
    if (typeof value !== "object" || value === null) {
        return [];
    }
    const { description } = value as { description?: unknown };
    const own = typeof description === "string" ? [description.split("{{% examples")[0] ?? ""] : [];
    return [...own, ...Object.values(value).flatMap(texts)];
}

test("the texts of the schema are correct in each language", () => {
    expect(
        texts(schema).filter((text) => /TypeScript|JavaScript|undefined|Throws|for await|iterator/i.test(text)),
    ).toEqual([]);
});

test("each type of the schema has a description", () => {
    const types = Object.entries<{ description?: string }>(schema.types);
    expect(types.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([]);
});

test.each([
    {
        sdk: "sdk/python/pulumi_clouddb",
        suffix: ".py",
        words: ["`deletion_protection`", "`depends_on`", '`wait_for="provisioned"`', "None without a pooler."],
    },
    {
        sdk: "sdk/go/clouddb",
        suffix: ".go",
        words: ["`DeletionProtection`", "`DependsOn`", '`WaitFor: "provisioned"`', "Nil without a pooler."],
    },
])("the comments of $sdk have the names and words of the language", ({ sdk, suffix, words }) => {
    const text = filesBelow(sdk, suffix).map(read).join("\n");
    expect(words.filter((one) => !text.includes(one))).toEqual([]);
    expect(text).not.toMatch(/`(cpuMillis|dependsOn)`|Undefined (if|until|in|without)|Absent/);
});

test("the build of the Python package uses no deprecated setting and writes nothing to the folder of the sources", () => {
    const text = readFileSync(join(root, "sdk", "python", "pyproject.toml"), "utf8");
    expect(text).toContain('license = "Apache-2.0"');
    expect(text).toContain('build-backend = "flit_core.buildapi"');
    expect(text).not.toContain("setuptools");
    // The release builds with the same backend.
    expect(read("scripts/release/requirements.txt")).toMatch(/^flit_core==3\./m);
});
