import { join } from "node:path";
import { run } from "../support/command";

/** Creates a virtual environment with packages, as arguments of `pip install`, and returns its folder. */
export async function createEnvironment(folder: string, packages: readonly string[], cwd: string): Promise<string> {
    await run("python3", ["-m", "venv", folder], { cwd });
    // Python compiles on demand, and a program imports only some of the modules.
    await run(join(folder, "bin", "pip"), ["install", "--quiet", "--no-compile", ...packages], { cwd });
    return folder;
}
