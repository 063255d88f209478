import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../support/command";
import { root } from "../support/documents";

/** The environment variable with the virtual environment that the Python programs share. */
const shared = "CLOUDDB_TEST_PYTHON";

/** A virtual environment with the SDK of this repository. It takes a quarter of a minute, so all test files share one. */
export const sharedEnvironment = (): string => process.env[shared] ?? "";

/** Creates a virtual environment with packages, as arguments of `pip install`, and returns its folder. */
export async function createEnvironment(folder: string, packages: readonly string[], cwd: string): Promise<string> {
    await run("python3", ["-m", "venv", folder], { cwd });
    // Python compiles on demand, and a program imports only some of the modules.
    await run(join(folder, "bin", "pip"), ["install", "--quiet", "--no-compile", ...packages], { cwd });
    return folder;
}

export async function install(): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), "clouddb-python-"));
    process.env[shared] = await createEnvironment(folder, [join(root, "sdk", "python")], root);
}

export function remove(): void {
    rmSync(sharedEnvironment(), { recursive: true, force: true, maxRetries: 3 });
}
