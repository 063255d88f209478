import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { blocksOf, root } from "../support/documents";
import { workDir } from "../support/engine";

// Uses no engine: what users need to test a program without one.

const typescript = `import { Service } from "pulumi-clouddb";
import { startEmulator } from "pulumi-clouddb/emulator";

test("loads", () => expect([typeof Service, typeof startEmulator]).toEqual(["function", "function"]));
`;
const [documented = ""] = blocksOf("docs/emulator.md#unit-tests", ["ts"]).map(({ text }) => text);

let modules: string;

/** The projects use a copy of the package instead of a link, as npm installs it. */
beforeAll(() => {
    modules = join(workDir(), "node_modules");
    mkdirSync(modules);
    symlinkSync(join(root, "node_modules", "@pulumi"), join(modules, "@pulumi"));
    for (const name of ["dist", "package.json"]) {
        const filter = (source: string) => basename(source) !== ".build";
        cpSync(join(root, name), join(modules, "pulumi-clouddb", name), { recursive: true, filter });
    }
});

/** Runs jest in a new project. Returns the failure messages of each test file. */
function runJest(name: string, files: Record<string, string>): Record<string, string> {
    const folder = join(modules, "..", name);
    mkdirSync(folder);
    for (const [file, text] of Object.entries(files)) {
        writeFileSync(join(folder, file), text);
    }
    const result = join(folder, "result.json");
    const args = ["--rootDir", folder, "--ci", "--runInBand", "--json", "--outputFile", result];
    spawnSync(process.execPath, [join(root, "node_modules", "jest", "bin", "jest.js"), ...args], { cwd: folder });
    const { testResults } = JSON.parse(readFileSync(result, "utf8")) as {
        testResults: { name: string; status: string; message: string }[];
    };
    return Object.fromEntries(
        testResults.map((file) => [basename(file.name), file.status === "passed" ? "" : `failed: ${file.message}`]),
    );
}

it("a program that uses the package loads in ts-jest with only its preset, and the documented unit test passes", () => {
    expect(documented).toContain("setMocks");
    const results = runJest("typed", {
        "package.json": JSON.stringify({ jest: { preset: "ts-jest" } }),
        "tsconfig.json": "{}",
        "program.test.ts": typescript,
        "documented.test.ts": documented,
    });
    expect(results).toEqual({ "program.test.ts": "", "documented.test.ts": "" });
});
