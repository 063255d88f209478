import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { blocksOf } from "../support/documents";
import { removeStacks, startFastEmulator } from "../support/engine";
import { runShell } from "../support/project";
import { pathWith, root, type Language } from "./language";

// Follows docs/languages.md from an empty folder, for each template.

const page = "docs/languages.md";
const [settings = "", commands = ""] = blocksOf(page, ["sh"]).map(({ text }) => text);
const generator = pathWith("codegen")?.split(delimiter)[0];
const languages: readonly Language[] = ["python", "go", "yaml", "java"];

const folders: string[] = [];

afterAll(async () => {
    for (const folder of folders) {
        // Go makes its modules read-only.
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
    await removeStacks();
});

test("the page names the template of each language", () => {
    expect(readFileSync(join(root, page), "utf8")).toContain("The templates are `python`, `go`, `yaml` and `java`:");
    expect(commands).toContain("/templates/python ");
});

describe.each(languages)("the first project in %s", (language) => {
    const path = pathWith(language);
    const testIfPossible = path === undefined || generator === undefined ? it.skip : it;

    testIfPossible(
        `the documented first project in ${language} creates a database, also after pulumi package add and pulumi install`,
        async () => {
            const above = mkdtempSync(join(tmpdir(), "clouddb-first-"));
            folders.push(above);
            symlinkSync(root, join(above, "pulumi-clouddb"));
            const emulator = await startFastEmulator({ projectId: "emulator01", token: "emulator-token" });
            const project = join(above, "shop");
            // The language host that Go can build ignores `virtualenv`. It uses the folder without activating it.
            const programs = [join(project, "venv", "bin"), join(project, "bin"), generator, path].join(delimiter);
            // The settings of a shell can put other folders at the start of PATH.
            const exports = `export PATH=${programs}\n${settings.replace("http://127.0.0.1:8080/v1", emulator.url)}`;
            const env = {
                ...process.env,
                PULUMI_HOME: join(above, "home"),
                PULUMI_SKIP_UPDATE_CHECK: "true",
                PULUMI_SKIP_CONFIRMATIONS: "true",
                // The compiler of the JVM costs more time than it saves.
                MAVEN_OPTS: "-XX:TieredStopAtLevel=1",
                NO_PROXY: "127.0.0.1,localhost",
            };

            await runShell(`${exports}\n${commands.replace("templates/python", `templates/${language}`)}`, above, env);
            expect(emulator.snapshot().services).toMatchObject([{ status: "READY" }]);

            const again = ["pulumi package add ../pulumi-clouddb", "pulumi install", "pulumi up --expect-no-changes"];
            const output = await runShell([exports, ...again].join("\n"), project, env);
            expect(output).toContain("connectionString");
            await runShell(`${exports}\npulumi destroy`, project, env);
            expect(emulator.snapshot().services).toEqual([]);
        },
    );
});
