import { statSync } from "node:fs";
import { join } from "node:path";
import { linksIn, read, root } from "../support/documents";
import { run } from "../support/command";
import { packedPackage } from "./folder";

const maxFiles = 60;
const unwanted = /(^|\/)\.|\.map$|(?<!\.d)\.ts$|^(?!dist\/|pulumi-resource-|[A-Z]+(\.md)?$|package\.json$)/;
const documentation = /^(docs|examples)\//;

const check = (tool: string, ...args: string[]) => run("npx", ["--no", tool, ...args], { cwd: root, env: process.env });

test("the package contains fewer than 60 files apart from its documentation, and only those that a user needs", () => {
    const files = packedPackage().files.filter((path) => !documentation.test(path));
    expect(files.filter((path) => unwanted.test(path))).toEqual([]);
    expect(files.length).toBeLessThan(maxFiles);
});

test("the links of the packed README and of all other packed pages lead to packed files and their headings", () => {
    const { links, dead } = linksIn(packedPackage().files, read);
    expect(links.filter(({ page }) => page === "README.md").length).toBeGreaterThan(5);
    expect(dead).toEqual([]);
});

test("the plugin is smaller than 1.7 MB", () => {
    expect(statSync(join(root, "dist", "plugin", "pulumi-resource-clouddb.js")).size).toBeLessThan(1_700_000);
});

test("publint reports no problem in the package", () => check("publint", "run", packedPackage().file, "--strict"));

// The older resolution of Node does not support the `exports` of package.json.
test("attw finds the types of all entry points", () =>
    check("attw", packedPackage().file, "--profile", "node16", "--no-emoji", "--no-color", "--format", "ascii"));
