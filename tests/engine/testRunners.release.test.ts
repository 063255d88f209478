import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { blocksOf, root } from "../support/documents";
import { workDir } from "../support/engine";

// Uses no engine: what users need to test a program without one.

const typescript = `import { Service } from "pulumi-clouddb";
import { startEmulator } from "pulumi-clouddb/emulator";

test("loads", () => expect([typeof Service, typeof startEmulator]).toEqual(["function", "function"]));
`;
const [documented = ""] = blocksOf("docs/emulator.md#unit-tests", ["ts"]).map(({ text }) => text);

/** The project uses a copy of the package instead of a link, as npm installs it. */
it("a program that uses the package loads in ts-jest with only its preset, and the documented unit test passes", () => {
    expect(documented).toContain("setMocks");
    const folder = workDir();
    const modules = join(folder, "node_modules");
    mkdirSync(modules);
    symlinkSync(join(root, "node_modules", "@pulumi"), join(modules, "@pulumi"));
    for (const name of ["dist", "package.json"]) {
        const filter = (source: string) => basename(source) !== ".build";
        cpSync(join(root, name), join(modules, "pulumi-clouddb", name), { recursive: true, filter });
    }
    for (const [file, text] of Object.entries({
        "package.json": JSON.stringify({ jest: { preset: "ts-jest" } }),
        "tsconfig.json": "{}",
        "program.test.ts": typescript,
        "documented.test.ts": documented,
    })) {
        writeFileSync(join(folder, file), text);
    }
    const jest = join(root, "node_modules", "jest", "bin", "jest.js");
    const args = [jest, "--rootDir", folder, "--ci", "--runInBand", "--json"];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    expect(JSON.parse(stdout)).toMatchObject({ numPassedTestSuites: 2, numFailedTestSuites: 0 });
});
