import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { run } from "../support/command";
import { root } from "../support/documents";

/**
 * Compiles Pulumi's SDK for Go, if there is a compiler. With an empty cache it takes minutes, and otherwise each test file
 * would do it at the same time.
 */
export async function compile(): Promise<void> {
    if (spawnSync("go", ["version"]).status === 0) {
        await run("go", ["build", "github.com/pulumi/pulumi/sdk/v3/go/pulumi"], { cwd: join(root, "examples", "go") });
    }
}
