import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { blocksOf, type Block } from "../support/documents";
import { removeStacks, startFastEmulator } from "../support/engine";
import { runShell } from "../support/project";
import { pathWith, root } from "./language";

// Follows docs/languages.md in an empty folder.

const page = "docs/languages.md";
const blocks = blocksOf(page, ["sh", "yaml", "python", "go"]);
const generator = pathWith("codegen")?.split(delimiter)[0];
const first = blocks.findIndex(({ language }) => language === "sh");

const languages = [
    { language: "python", files: { yaml: "Pulumi.yaml", python: "__main__.py" } },
    { language: "go", files: { yaml: "Pulumi.yaml", go: "main.go" } },
    { language: "yaml", files: { yaml: "Pulumi.yaml" } },
] as const;

/** The blocks of the page up to the commands that use them, in the order of the languages. */
const sections = blocks.slice(first + 1).reduce<Block[][]>(
    (before, block) => {
        before.at(-1)?.push(block);
        return block.language === "sh" ? [...before, []] : before;
    },
    [[]],
);

const folders: string[] = [];

afterAll(async () => {
    for (const folder of folders) {
        // Go makes its modules read-only.
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
    await removeStacks();
});

describe.each(languages.map((one, index) => ({ ...one, section: sections[index] ?? [] })))(
    "the first project in $language",
    ({ language, files, section }) => {
        const path = pathWith(language);
        const test = path === undefined || generator === undefined ? it.skip : it;

        test(`the documented first project in ${language} creates a database`, async () => {
            const above = mkdtempSync(join(tmpdir(), "clouddb-first-"));
            folders.push(above);
            symlinkSync(root, join(above, "pulumi-clouddb"));
            const folder = join(above, "shop");
            mkdirSync(folder);
            for (const [kind, file] of Object.entries(files)) {
                writeFileSync(join(folder, file), textOf(section, kind));
            }
            const emulator = await startFastEmulator({ projectId: "emulator01", token: "emulator-token" });
            // The language host that Go can build ignores `virtualenv`. It uses the folder without activating it.
            const programs = [join(folder, "venv", "bin"), join(folder, "bin"), generator, path].join(delimiter);
            const settings = (blocks[first]?.text ?? "").replace("http://127.0.0.1:8080/v1", emulator.url);
            // The settings of a shell can put other folders at the start of PATH.
            const exports = `export PATH=${programs}\n${settings}`;
            const env = {
                ...process.env,
                PULUMI_HOME: join(above, "home"),
                PULUMI_SKIP_UPDATE_CHECK: "true",
                PULUMI_SKIP_CONFIRMATIONS: "true",
                NO_PROXY: "127.0.0.1,localhost",
            };

            // The newest version of Pulumi's SDK needs modules that not every proxy of Go modules has.
            const pinned = "$&\ngo mod edit -require github.com/pulumi/pulumi/sdk/v3@v3.250.0";
            const commands = textOf(section, "sh").replace(/^go mod init .*$/m, pinned);
            await runShell(`${exports}\n${commands}`, folder, env);
            const again = await runShell(`${exports}\npulumi up --expect-no-changes`, folder, env);
            expect(emulator.snapshot().services).toMatchObject([{ status: "READY" }]);
            expect(again).toContain("connectionString");
            await runShell(`${exports}\npulumi destroy`, folder, env);
            expect(emulator.snapshot().services).toEqual([]);
        });
    },
);

function textOf(section: readonly Block[], kind: string): string {
    const found = section.find(({ language }) => language === kind);
    if (found === undefined) {
        throw new Error(`${page} has no block of ${kind} for this language.`);
    }
    return `${found.text}\n`;
}
