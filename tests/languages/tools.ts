import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { root } from "../support/documents";
import { skipped } from "../support/skipped";

export type Language = "python" | "go" | "yaml" | "java";
/** The engine contains the language host of Node.js. */
export type AnyLanguage = Language | "nodejs";

const setup = join(root, "scripts", "engine", "setup.mjs");

/**
 * Builds the language host if necessary. Returns the PATH with it. If the build fails, the tests are skipped, or in a
 * pipeline fail. Without the compiler of Java or Maven, they are always skipped.
 */
export function pathWith(tool: AnyLanguage | "codegen"): string | undefined {
    if (tool === "nodejs") {
        return process.env.PATH;
    }
    const missing = (tool === "java" ? ["javac", "mvn"] : []).find(
        (program) => spawnSync(program, ["--version"]).status !== 0,
    );
    if (missing !== undefined) {
        skipped(`the tests of ${tool}`, `there is no ${missing} on PATH`);
        return undefined;
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, [setup, tool], { encoding: "utf8" });
    if (status === 0) {
        return `${stdout.trim()}${delimiter}${process.env.PATH ?? ""}`;
    }
    if (process.env.CI) {
        throw new Error(`The tests of ${tool} cannot run:\n${stderr}`);
    }
    skipped(`the tests of ${tool}`, stderr.trim());
    return undefined;
}

/** The folder of the programs that generate SDKs and imported programs, which the language hosts from the Go module proxy cannot. */
export const generatorFolder = (): string | undefined => pathWith("codegen")?.split(delimiter)[0];

/** `test`, skipped without one of these tools. */
export const testWith = (...tools: readonly (AnyLanguage | "codegen")[]) =>
    tools.every((tool) => pathWith(tool) !== undefined) ? it : it.skip;
