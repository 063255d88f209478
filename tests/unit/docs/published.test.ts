import { currentPages, read } from "../../support/documents";
import { evaluate } from "../../support/scripts";

const load = "const { published, warningOf } = await load('docs/published.mjs');";

test("one command makes all pages name the package instead of a file", async () => {
    const packed = currentPages.filter((page) => /^(README|docs\/|examples\/)/.test(page));
    const before = packed.filter((page) => /not published|\.tgz/.test(read(page)));
    expect(before.length).toBeGreaterThan(10);
    const after = (await evaluate(
        `${load} const { read } = await load("lib/files.mjs");
        return ${JSON.stringify(packed)}.map((page) => published(read(page)));`,
    )) as string[];
    expect(after.filter((text) => /not published|unpublished|\.tgz/.test(text))).toEqual([]);
    expect(after[packed.indexOf("README.md")]).toContain("npm install pulumi-clouddb\n");
});

test("a release of a tag fails while a packed page names the file, and any other build warns", async () => {
    const run = (path: string, isTag: boolean) =>
        evaluate(`${load} try { return warningOf(["package.json", ${JSON.stringify(path)}], ${String(isTag)}); }
            catch (error) { return "failed: " + error.message; }`);
    await expect(run("README.md", true)).resolves.toMatch(/^failed: README\.md: .*npm run docs -- --published/);
    await expect(run("README.md", false)).resolves.toMatch(/^warning: README\.md: /);
    await expect(run("docs/protection.md", true)).resolves.toBe("");
});
