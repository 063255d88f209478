import { root } from "../support/documents";
import { run } from "../support/command";
import { packedPackage, removeFolders } from "./folder";

const maxFiles = 60;
const unwanted = /(^|\/)\.|\.map$|(?<!\.d)\.ts$|^(?!dist\/|pulumi-resource-clouddb|[A-Z]+(\.md)?$|package\.json$)/;

afterAll(removeFolders);

const check = (tool: string, ...args: string[]) => run("npx", ["--no", tool, ...args], { cwd: root, env: process.env });

test("the package contains fewer than 60 files, and only those that a user needs", () => {
    const { files } = packedPackage();
    expect(files.filter((path) => unwanted.test(path))).toEqual([]);
    expect(files.length).toBeLessThan(maxFiles);
});

test("publint reports no problem in the package", () => check("publint", "run", packedPackage().file, "--strict"));

// The older resolution of Node does not support the `exports` of package.json.
test("attw finds the types of all entry points", () =>
    check("attw", packedPackage().file, "--profile", "node16", "--no-emoji", "--no-color", "--format", "ascii"));
