/**
 * `npm test [-- jest's arguments]`: jest, with the package built and an engine on PATH. The last line says how many passed.
 *
 *     npm test -- tests/unit
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureEngine, pathWithEngine } from "../engine/setup.mjs";
import { bootstrap } from "./bootstrap.mjs";
import { runInForeground } from "./lib/children.mjs";
import { RESULT_FILE, summaryLine } from "./lib/jestResult.mjs";
import { main, ROOT, say } from "./lib/repository.mjs";

await main(async () => {
    const args = process.argv.slice(2);
    await bootstrap();
    const engine = await ensureEngine();
    say("engine", `Pulumi ${engine.version} in ${engine.bin}`);

    const folder = mkdtempSync(join(tmpdir(), "clouddb-test-"));
    const resultFile = join(folder, "result.json");
    try {
        const code = await runInForeground(
            process.execPath,
            [join(ROOT, "node_modules", "jest", "bin", "jest.js"), ...args],
            {
                cwd: ROOT,
                env: { ...process.env, PATH: pathWithEngine(engine), [RESULT_FILE]: resultFile },
            },
        );
        const counts = existsSync(resultFile) ? JSON.parse(readFileSync(resultFile, "utf8")) : undefined;
        // Without a result and without a failure jest was only asked something, such as --listTests.
        if (counts) process.stdout.write(`${summaryLine(counts)}\n`);
        else if (code !== 0) process.stdout.write(`${summaryLine({ passed: 0, failed: 1, skipped: 0 })}\n`);
        return code;
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
});
