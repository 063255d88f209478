/** `npm test -- acceptance --sweep [--list]`: see tests/acceptance/sweep. */
import { spawnSync } from "node:child_process";
import { withBundle } from "../lib/bundle.mjs";

export const sweep = (args) =>
    withBundle(
        ["tests/acceptance/sweep/cli.ts"],
        (program) => spawnSync(process.execPath, [program, ...args], { stdio: "inherit" }).status ?? 1,
    );
