/**
 * `npm run precommit`: checks the staged files in some seconds. To run it as a Git hook, run this command once in a clone:
 *
 * git config core.hooksPath .githooks
 */
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { repositoryRoot } from "./lib/repository.mjs";

export function run() {
    const staged = execFileSync("git", ["diff", "--cached", "--name-only", "--diff-filter=ACMR", "-z"], {
        cwd: repositoryRoot,
    })
        .toString()
        .split("\0")
        .filter((file) => file !== "");
    const code = staged.filter((file) => /\.(ts|mjs|js)$/.test(file));
    const ok = [
        staged.length === 0 || check("prettier", ["--check", "--ignore-unknown", ...staged]),
        code.length === 0 || check("eslint", ["--no-warn-ignored", ...code]),
        check("node", ["scripts/run.mjs", "generate", "--check"]),
        check("node", ["scripts/run.mjs", "docs", "--check"]),
    ];
    return ok.every(Boolean) ? 0 : 1;
}

function check(command, args) {
    const file = command === "node" ? process.execPath : join(repositoryRoot, "node_modules", ".bin", command);
    return spawnSync(file, args, { cwd: repositoryRoot, stdio: ["ignore", "inherit", "inherit"] }).status === 0;
}
