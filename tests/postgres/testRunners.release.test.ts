import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { blocksOf, root } from "../support/documents";
import { workDir } from "../support/engine";
import { describeWithPostgres } from "../support/postgres";

// The documented tests of users, in a project that uses a copy of the package instead of a link, as npm installs it.

const folder = workDir();

beforeAll(() => {
    const modules = join(folder, "node_modules");
    mkdirSync(modules);
    symlinkSync(join(root, "node_modules", "@pulumi"), join(modules, "@pulumi"));
    for (const name of ["dist", "package.json"]) {
        const filter = (source: string) => basename(source) !== ".build";
        cpSync(join(root, name), join(modules, "pulumi-clouddb", name), { recursive: true, filter });
    }
    writeFileSync(join(folder, "package.json"), JSON.stringify({ jest: { preset: "ts-jest" } }));
    writeFileSync(join(folder, "tsconfig.json"), "{}");
});

/** Writes the documented test into this file, and runs it. Returns the exit code. */
function run(section: string, language: string, file: string, ...args: readonly string[]) {
    const [text = ""] = blocksOf(`docs/emulator.md#${section}`, [language]).map((block) => block.text);
    expect(text).toContain("pulumi-clouddb");
    writeFileSync(join(folder, file), text);
    return spawnSync(process.execPath, [...args, file], { cwd: folder, stdio: "inherit" }).status;
}

const jestCommand = [join(root, "node_modules", "jest", "bin", "jest.js"), "--rootDir", folder, "--ci"];

test("the documented unit test passes in jest with only the preset of ts-jest", () => {
    expect(run("unit-tests", "ts", "unit.test.ts", ...jestCommand)).toBe(0);
});

describeWithPostgres("the documented test with a database", () => {
    test("the documented test with a database passes in jest with only the preset of ts-jest", () => {
        expect(run("tests-with-a-database", "ts", "orders.test.ts", ...jestCommand)).toBe(0);
    });

    test("the documented test with a database passes in node:test", () => {
        expect(run("tests-with-a-database", "js", "orders.cjs", "--test")).toBe(0);
    });
});
