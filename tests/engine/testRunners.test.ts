import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { blocksOf, root } from "../support/documents";
import { removeStacks, workDir } from "../support/engine";

afterAll(removeStacks);

const javascript = `const clouddb = require("pulumi-clouddb");
const emulator = require("pulumi-clouddb/emulator");
test("loads", () => expect([typeof clouddb.Service, typeof emulator.startEmulator]).toEqual(["function", "function"]));
`;
const typescript = `import { Service } from "pulumi-clouddb";
import { startEmulator } from "pulumi-clouddb/emulator";
test("loads", () => expect([typeof Service, typeof startEmulator]).toEqual(["function", "function"]));
`;

/** Creates a project with a copy of the package instead of a link, as npm installs it. */
function projectWith(files: Record<string, string>): string {
    const folder = workDir();
    const modules = join(folder, "node_modules");
    mkdirSync(modules);
    symlinkSync(join(root, "node_modules", "@pulumi"), join(modules, "@pulumi"));
    for (const name of ["dist", "package.json"]) {
        const filter = (source: string) => basename(source) !== ".build";
        cpSync(join(root, name), join(modules, "pulumi-clouddb", name), { recursive: true, filter });
    }
    for (const [name, text] of Object.entries(files)) {
        writeFileSync(join(folder, name), text);
    }
    return folder;
}

function runJest(folder: string): void {
    const args = [join(root, "node_modules", "jest", "bin", "jest.js"), "--rootDir", folder, "--ci"];
    execFileSync(process.execPath, args, { cwd: folder, stdio: "pipe" });
}

it("a program that uses the package loads in jest without configuration", () => {
    runJest(projectWith({ "package.json": "{}", "program.test.js": javascript }));
});

it("a program that uses the package loads in ts-jest with nothing but its preset", () => {
    const config = JSON.stringify({ jest: { preset: "ts-jest" } });
    runJest(projectWith({ "package.json": config, "tsconfig.json": "{}", "program.test.ts": typescript }));
});

it("the documented unit test of a program passes", () => {
    const config = JSON.stringify({ jest: { preset: "ts-jest" } });
    const [text = ""] = blocksOf("docs/testing.md", ["ts"]).map((block) => block.text);
    expect(text).toContain("setMocks");
    runJest(projectWith({ "package.json": config, "tsconfig.json": "{}", "program.test.ts": text }));
});
