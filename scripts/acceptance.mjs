/**
 * `npm run test:acceptance [-- JEST OPTIONS]`: runs the acceptance suite against CLOUDDB_BASE_URL, or a new emulator.
 * `npm run test:acceptance -- --sweep`: see tests/acceptance/sweep.
 */
import { spawnSync } from "node:child_process";
import { withBundle } from "./lib/bundle.mjs";
import { run as test } from "./test.mjs";

export function run(args) {
    if (args[0] !== "--sweep") {
        return test(["--config", "tests/acceptance/jest.config.js", ...args]);
    }
    return withBundle(
        ["tests/acceptance/sweep/cli.ts"],
        (program) => spawnSync(process.execPath, [program, ...args.slice(1)], { stdio: "inherit" }).status ?? 1,
    );
}
