import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(__dirname, "..", "..", "..");
const folder = mkdtempSync(join(tmpdir(), "clouddb-bench-test-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the benchmark of the waits runs in short, with tables, a verdict for each claim, figures and a picture", async () => {
    const [json, svg] = [join(folder, "figures.json"), join(folder, "picture.svg")];
    const args = [join(root, "scripts", "bench.mjs"), "--quick", "--only", "waiting", "--json", json, "--svg", svg];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });

    expect(stdout).toContain("Waiting for services, mixed (5 s-30 min)");
    expect(stdout).toMatch(/^PASS {2}the peers' figures are those of real requests/m);
    expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
    expect(JSON.parse(readFileSync(json, "utf8"))).toMatchObject({ quick: true });
    expect(readFileSync(svg, "utf8")).toContain("</svg>");
}, 180_000);
