import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { run } from "../support/command";
import { root } from "../support/documents";
import { generatorFolder, pathWith } from "./tools";

// The programs of these tests use the SDKs that a user gets: `pulumi package add` generates them from the plugin. Those of the
// folder sdk/ reach no user.

/** The environment variable with the folder in which the test files find them. */
const variable = "CLOUDDB_TEST_SDKS";
const pythonIn = (folder: string) => join(folder, "python");

/** A virtual environment with the package for Python. It takes a quarter of a minute, so all test files share one. */
export const pythonEnvironment = (): string => join(pythonIn(process.env[variable] ?? ""), "venv");

/** The generated package for Python. */
export const pythonPackage = (): string => join(pythonIn(process.env[variable] ?? ""), "sdks", "clouddb");

/** The folder of the module for Go. Go compiles a module in a new folder again, so it is always in the same one. */
export const goModule = join(root, "tests", "languages", ".sdk-go");

/** The tests that need a tool skip themselves if it cannot be built. */
export async function generate(): Promise<void> {
    // With an empty cache, Go compiles Pulumi's SDK for minutes, and otherwise each test file would do it at the same time.
    if (spawnSync("go", ["version"]).status === 0) {
        await run("go", ["build", "github.com/pulumi/pulumi/sdk/v3/go/pulumi"], { cwd: join(root, "examples", "go") });
    }
    const folder = mkdtempSync(join(tmpdir(), "clouddb-sdks-"));
    process.env[variable] = folder;
    const generator = generatorFolder();
    const [python, go] = [pathWith("python"), pathWith("go")];
    if (generator !== undefined && python !== undefined) {
        await forPython(pythonIn(folder), [generator, python]);
    }
    if (generator !== undefined && go !== undefined) {
        await forGo(join(folder, "go"), [generator, go]);
    }
}

export function remove(): void {
    for (const folder of [process.env[variable] ?? "", goModule]) {
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
}

/** Creates a virtual environment with packages, as arguments of `pip install`. */
export async function createEnvironment(folder: string, packages: readonly string[], cwd: string): Promise<void> {
    await run("python3", ["-m", "venv", folder], { cwd });
    // Python compiles on demand, and a program imports only some of the modules.
    await run(join(folder, "bin", "pip"), ["install", "--quiet", "--no-compile", ...packages], { cwd });
}

async function forPython(folder: string, path: readonly string[]): Promise<void> {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "requirements.txt"), "pulumi\n");
    await addPackage(folder, "python", path);
    await createEnvironment(join(folder, "venv"), [join(folder, "sdks", "clouddb")], folder);
}

async function forGo(folder: string, path: readonly string[]): Promise<void> {
    mkdirSync(folder, { recursive: true });
    const template = join(root, "examples", "templates", "go");
    writeFileSync(join(folder, "go.mod"), readFileSync(join(template, "go.mod"), "utf8").replace("${PROJECT}", "sdk"));
    await addPackage(folder, "go", path);
    rmSync(goModule, { recursive: true, force: true });
    cpSync(join(folder, "sdks", "clouddb"), goModule, { recursive: true, preserveTimestamps: true });
}

/** What docs/languages.md advises in an existing project. */
async function addPackage(folder: string, language: string, path: readonly string[]): Promise<void> {
    writeFileSync(join(folder, "Pulumi.yaml"), `name: sdk\nruntime: ${language}\n`);
    const env = { ...process.env, PATH: path.join(delimiter), PULUMI_HOME: join(folder, "home") };
    await run("pulumi", ["package", "add", root], { cwd: folder, env });
    if (!existsSync(join(folder, "sdks", "clouddb"))) {
        throw new Error(`pulumi package add generated no SDK for ${language}.`);
    }
}
