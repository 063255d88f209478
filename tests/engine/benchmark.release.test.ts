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

    expect(stdout).toMatch(/^## Waiting for services\n[^]*mixed \(5 s-30 min\)/m);
    expect(stdout).toMatch(/PASS: the calculated figures of the peers match real requests/);
    expect(stdout).toMatch(/PASS: requests for a POST that always fails: at most 15/);
    const chart = readFileSync(svg, "utf8");
    expect(chart).toContain(">this provider</text>");
    expect(chart).toContain(">Neon provider, 0.1 s</text>");
    expect(chart).not.toMatch(/NaN|Infinity/);
});
