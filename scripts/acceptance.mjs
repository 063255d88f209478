/**
 * `npm run test:acceptance [-- JEST OPTIONS]`: runs the acceptance suite against CLOUDDB_BASE_URL, or a new emulator.
 * `npm run test:acceptance -- --sweep`: see tests/acceptance/sweep.
 */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { bundleTest } from "./lib/bundle.mjs";
import { run as test } from "./test.mjs";

export async function run([first, ...rest]) {
    if (first !== "--sweep") {
        return test(["--config", "tests/acceptance/jest.config.js", ...(first === undefined ? [] : [first]), ...rest]);
    }
    const { file, folder } = await bundleTest("tests/acceptance/sweep/cli.ts");
    try {
        return spawnSync(process.execPath, [file, ...rest], { stdio: "inherit" }).status ?? 1;
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}
