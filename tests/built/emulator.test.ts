import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../support/documents";
import { newFolder } from "../support/folder";

const file = join(root, "dist", "emulator", "index.d.ts");
const program = ts.createProgram([file], { strict: true, types: ["node"], module: ts.ModuleKind.Node16 });
const checker = program.getTypeChecker();
const source = program.getSourceFile(file);
const entry = source && checker.getSymbolAtLocation(source);
const exported = entry ? checker.getExportsOfModule(entry) : [];

/** The members of an exported type that have no comment. */
function undocumented(name: string): string[] {
    const types = exported.filter((one) => one.name === name).map((one) => checker.getDeclaredTypeOfSymbol(one));
    const members = types.flatMap((type) => checker.getPropertiesOfType(type));
    expect(members).not.toEqual([]);
    return members.filter((one) => one.getDocumentationComment(checker).length === 0).map((one) => one.name);
}

it.each(["EmulatorOptions", "Controls", "EffectKinds", "Fault", "Durations", "Caller"])(
    "editors show the comment of each member of %s, whose types follow from a schema",
    (name) => {
        expect(undocumented(name)).toEqual([]);
    },
);

it("an emulator that is not closed does not keep node --test alive", () => {
    const file = join(newFolder(), "open.test.cjs");
    const lines = [
        `const { startEmulator } = require(${JSON.stringify(join(root, "dist", "emulator"))});`,
        `require("node:test")("leaves it open", async () => {`,
        `    const emulator = await startEmulator({ speed: 50 });`,
        `    await emulator.createService();`,
        `    await fetch(emulator.url);`,
        `});`,
    ];
    writeFileSync(file, lines.join("\n"));
    expect(spawnSync(process.execPath, ["--test", file], { timeout: 30_000 }).status).toBe(0);
}, 40_000);
