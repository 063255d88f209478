import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/documents";

const plugin = join(root, "dist", "plugin", "pulumi-resource-clouddb.js");
const maxBytes = 1_700_000;
const maxStartMs = 250;

test("the plugin is smaller than 1.7 MB", () => {
    expect(statSync(plugin).size).toBeLessThan(maxBytes);
});

test("the plugin needs less than a quarter of a second of processor time until it serves the engine", () => {
    // Its first line is the port.
    const program = `
        console.log = () => {
            const { user, system } = process.cpuUsage();
            process.stdout.write(String((user + system) / 1_000));
            process.exit();
        };
        require(${JSON.stringify(plugin)});
    `;
    const starts = Array.from({ length: 3 }, () => Number(execFileSync(process.execPath, ["-e", program])));
    expect(Math.min(...starts)).toBeGreaterThan(0);
    expect(Math.min(...starts)).toBeLessThan(maxStartMs);
});
