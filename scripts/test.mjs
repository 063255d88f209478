/**
 * `npm test [-- FILE] [JEST OPTIONS]`: runs jest with an engine on PATH. The last line is the number of passed and failed
 * tests.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureEngine, pathWithEngine } from "./engine/setup.mjs";
import { runInForeground } from "./lib/children.mjs";
import { inNewFolder, readJson } from "./lib/files.mjs";
import { repositoryRoot, report, ScriptError } from "./lib/repository.mjs";

export async function run(args) {
    const engine = await ensureEngine();
    report("engine", `Pulumi ${engine.version} in ${engine.bin}`);
    return inNewFolder(async (folder) => {
        const file = join(folder, "result.json");
        const output = args.includes("--listTests") ? [] : ["--json", "--outputFile", file];
        const jest = [join(repositoryRoot, "node_modules", "jest", "bin", "jest.js"), ...output];
        const env = { ...process.env, PATH: pathWithEngine(engine) };
        const command = [...jest, ...configurationFor(args), ...args];
        const code = await runInForeground(process.execPath, command, { cwd: repositoryRoot, env });
        if (existsSync(file)) {
            process.stdout.write(`${summaryOf(readJson("result.json", folder))}\n`);
        } else if (code !== 0) {
            process.stdout.write("0 passed, 1 failed\n");
        }
        return code;
    });
}

/**
 * The configuration of the files and folders in the arguments, unless these name one: that of their folder in tests/, or that
 * of the tests that only a release needs.
 */
export function configurationFor(args) {
    const paths = args.filter((one) => one.startsWith("tests/") && existsSync(join(repositoryRoot, one)));
    if (paths.length === 0 || args.some((one) => /^(-c|--config)\b/.test(one))) {
        return [];
    }
    const found = new Set(paths.map(configurationOf));
    if (found.size > 1) {
        throw new ScriptError(
            `These tests have different configurations: ${[...found].join(", ")}. Run them one by one.`,
        );
    }
    return ["--config", ...found];
}

function configurationOf(path) {
    const folder = path.split("/").slice(0, 2).join("/");
    const file = `${path.endsWith(".release.test.ts") ? "tests/release" : folder}/jest.config.js`;
    return existsSync(join(repositoryRoot, file)) ? file : "jest.config.js";
}

/** The line that .ci/run searches for. A suite that could not run counts as a failed test. */
export function summaryOf(result) {
    const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
    const skipped = result.numPendingTests + result.numTodoTests;
    return `${result.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
