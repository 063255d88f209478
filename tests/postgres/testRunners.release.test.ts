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
        return spawnSync(process.execPath, args, { cwd: folder, stdio: "inherit" }).status;
    };

    test("the documented test passes in jest", () => {
        const files = {
            "package.json": JSON.stringify({ jest: { preset: "ts-jest" } }),
            "tsconfig.json": "{}",
            "orders.test.ts": documented("ts"),
        };
        const jest = join(root, "node_modules", "jest", "bin", "jest.js");
        expect(run(files, [jest, "--rootDir", folder, "--ci"])).toBe(0);
    });

    test("the documented test passes in node:test", () => {
        expect(run({ "orders.cjs": documented("js") }, ["--test", "orders.cjs"])).toBe(0);
    });
});
