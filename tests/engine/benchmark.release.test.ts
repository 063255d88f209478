import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { newFolder } from "../support/folder";

// Uses no engine: a smoke test of the command that updates docs/benchmarks.md.

const root = join(__dirname, "..", "..");

test("a quick run of the waiting benchmark prints tables and claims, and writes a chart", async () => {
    const svg = join(newFolder(), "picture.svg");
    const args = [join(root, "scripts", "run.mjs"), "bench", "--quick", "--only", "waiting", "--svg", svg];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });

    expect(stdout).toContain("PASS");
    expect(stdout).not.toContain("FAIL");
    expect(readFileSync(svg, "utf8")).not.toMatch(/NaN|Infinity/);
});
