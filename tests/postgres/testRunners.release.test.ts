import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, root } from "../support/documents";
import { describeWithPostgres } from "../support/postgres";
import { newFolder } from "../support/folder";

const documented = (language: string): string =>
    blocksOf("docs/emulator.md#tests-with-a-database", [language])[0]?.text ?? "";

describeWithPostgres("the documented test with a database", () => {
    const folder = newFolder();
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));

    const run = (files: Record<string, string>, args: readonly string[]) => {
        for (const [name, text] of Object.entries(files)) {
            writeFileSync(join(folder, name), text);
        }
        const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
        return { status, output: stdout + stderr };
    };

    test("the documented test passes in jest", () => {
        const files = {
            "package.json": JSON.stringify({ jest: { preset: "ts-jest" } }),
            "tsconfig.json": "{}",
            "orders.test.ts": documented("ts"),
        };
        const jest = join(root, "node_modules", "jest", "bin", "jest.js");
        const { status, output } = run(files, [jest, "--rootDir", folder, "--ci"]);
        expect([status, output]).toEqual([0, expect.stringContaining("1 passed")]);
    });

    test("the documented test passes in node:test", () => {
        const { status, output } = run({ "orders.cjs": documented("js") }, ["--test", "orders.cjs"]);
        expect([status, output]).toEqual([0, expect.stringMatching(/pass 1\b/)]);
    });
});
