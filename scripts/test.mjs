/** `npm test [-- JEST OPTIONS]`: runs jest with an engine on PATH. The last line is the number of passed and failed tests. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureEngine, pathWithEngine } from "./engine/setup.mjs";
import { runInForeground } from "./lib/children.mjs";
import { repositoryRoot, report } from "./lib/repository.mjs";

export async function run(args) {
    const engine = await ensureEngine();
    report("engine", `Pulumi ${engine.version} in ${engine.bin}`);
    const folder = mkdtempSync(join(tmpdir(), "clouddb-test-"));
    const file = join(folder, "result.json");
    try {
        const output = args.includes("--listTests") ? [] : ["--json", "--outputFile", file];
        const jest = [join(repositoryRoot, "node_modules", "jest", "bin", "jest.js"), ...output, ...args];
        const env = { ...process.env, PATH: pathWithEngine(engine) };
        const code = await runInForeground(process.execPath, jest, { cwd: repositoryRoot, env });
        if (existsSync(file)) {
            process.stdout.write(`${summaryOf(JSON.parse(readFileSync(file, "utf8")))}\n`);
        } else if (code !== 0) {
            process.stdout.write("0 passed, 1 failed\n");
        }
        return code;
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

/** The line that .ci/run searches for. A suite that could not run counts as a failed test. */
export function summaryOf(result) {
    const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
    const skipped = result.numPendingTests + result.numTodoTests;
    return `${result.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
