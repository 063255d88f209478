import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { root } from "../support/documents";

export type Language = "python" | "go" | "yaml" | "java";

const setup = join(root, "scripts", "engine", "setup.mjs");

/**
 * Builds the language host if necessary. Returns the PATH with it. If the build fails, prints a warning and returns
 * undefined, or throws an error in a pipeline. Without the compiler of Java or Maven, always prints a warning.
 */
export function pathWith(tool: Language | "codegen"): string | undefined {
    const missing = (tool === "java" ? ["javac", "mvn"] : []).find(
        (program) => spawnSync(program, ["--version"]).status !== 0,
    );
    if (missing !== undefined) {
        console.warn(`The tests of ${tool} cannot run: there is no ${missing} on PATH.`);
        return undefined;
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, [setup, tool], { encoding: "utf8" });
    if (status === 0) {
        return `${stdout.trim()}${delimiter}${process.env.PATH ?? ""}`;
    }
    const reason = `The tests of ${tool} cannot run:\n${stderr}`;
    if (process.env.CI) {
        throw new Error(reason);
    }
    console.warn(reason);
    return undefined;
}
