import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

// Uses no engine: a smoke test of the command that updates docs/benchmarks.md.

const root = join(__dirname, "..", "..");

test("a quick run of the waiting benchmark prints tables and claims", async () => {
    const args = [join(root, "scripts", "run.mjs"), "bench", "--quick", "--only", "waiting"];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });

    expect(stdout).toContain("## Waiting for services");
    expect(stdout).not.toMatch(/NaN|Infinity/);
});
