import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { buildArchives, thisPlatform } from "../support/archives";
import { filesBelow, linksIn, root } from "../support/documents";
import { newFolder } from "../support/folder";

// The unpacked archive of the plugin for this platform.

const folder = newFolder();
let files: readonly string[] = [];

beforeAll(async () => {
    const archive = (await buildArchives(thisPlatform))[thisPlatform] ?? "";
    execFileSync("tar", ["-xzf", archive, "-C", folder]);
    files = execFileSync("find", [".", "-type", "f", "-printf", "%P\\n"], { cwd: folder, encoding: "utf8" })
        .trim()
        .split("\n");
});

const textOf = (file: string) => readFileSync(join(folder, file), "utf8");
const versionOf = (plugin: string) => execFileSync(plugin, ["--version"], { encoding: "utf8" });

test("the links of README, changelog and all other pages lead to files of the archive and their headings", () => {
    const { links, dead } = linksIn(files, textOf);
    const linking = new Set(links.map(({ page }) => page));
    expect([...linking]).toEqual(
        expect.arrayContaining(["README.md", "CHANGELOG.md", "docs/README.md", "examples/java/README.md"]),
    );
    expect(dead).toEqual([]);
});

test("it contains each page for users", () => {
    const pages = filesBelow("docs", ".md").filter((page) => page !== "docs/architecture.md");
    expect(files).toEqual(expect.arrayContaining([...pages, "README.md", "CHANGELOG.md", "SECURITY.md"]));
});

test("--version prints the version and the commit of the archive, and in a clone that there is none", () => {
    const commit = execFileSync("git", ["rev-parse", "--short=12", "HEAD"], { cwd: root, encoding: "utf8" }).trim();
    expect(versionOf(join(folder, "pulumi-resource-clouddb"))).toMatch(
        new RegExp(`^${version} ${commit}( with local changes)?\n$`),
    );
    expect(versionOf(join(root, "pulumi-resource-clouddb"))).toBe(`${version} built from a clone\n`);
    writeFileSync(join(folder, "commit.txt"), "of another build\n");
    expect(versionOf(join(folder, "pulumi-resource-clouddb"))).toBe(`${version} of another build\n`);
});
