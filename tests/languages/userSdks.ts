import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { run } from "../support/command";
import { root } from "../support/documents";
import { createEnvironment } from "./pythonPackages";
import { pathWith } from "./tools";

// The programs of these tests use the SDKs that a user gets: `pulumi package add` generates them from the plugin. Those of the
// folder sdk/ reach no user.

/** The environment variables with the SDK of Go, and with the virtual environment of the Python programs. */
const variables = { go: "CLOUDDB_TEST_GO", python: "CLOUDDB_TEST_PYTHON" } as const;

/** The folder of the module for Go. */
export const goModule = (): string => process.env[variables.go] ?? "";

/** A virtual environment with the package for Python. It takes a quarter of a minute, so all test files share one. */
export const pythonEnvironment = (): string => process.env[variables.python] ?? "";

/** The generated package for Python. */
export const pythonPackage = (): string => join(pythonEnvironment(), "..", "sdks", "clouddb");

/** Go compiles a module in a new folder again, so it is always in the same one. */
const goFolder = join(root, "tests", "languages", ".sdk-go");

/** The tests that need a tool skip themselves if it cannot be built. */
export async function generate(): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), "clouddb-sdks-"));
    const generator = pathWith("codegen")?.split(delimiter)[0];
    const [python, go] = [pathWith("python"), pathWith("go")];
    if (generator !== undefined && python !== undefined) {
        process.env[variables.python] = await forPython(join(folder, "python"), [generator, python]);
    }
    if (generator !== undefined && go !== undefined) {
        process.env[variables.go] = await forGo(join(folder, "go"), [generator, go]);
    }
}

export function remove(): void {
    const folders = [join(pythonEnvironment(), "..", ".."), goFolder];
    folders.slice(pythonEnvironment() === "" ? 1 : 0).forEach((folder) => {
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    });
}

async function forPython(folder: string, path: readonly string[]): Promise<string> {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "requirements.txt"), "pulumi\n");
    await addPackage(folder, "python", path);
    return createEnvironment(join(folder, "venv"), [join(folder, "sdks", "clouddb")], folder);
}

async function forGo(folder: string, path: readonly string[]): Promise<string> {
    mkdirSync(folder, { recursive: true });
    const template = join(root, "examples", "templates", "go");
    writeFileSync(join(folder, "go.mod"), readFileSync(join(template, "go.mod"), "utf8").replace("${PROJECT}", "sdk"));
    await addPackage(folder, "go", path);
    rmSync(goFolder, { recursive: true, force: true });
    cpSync(join(folder, "sdks", "clouddb"), goFolder, { recursive: true, preserveTimestamps: true });
    return goFolder;
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
