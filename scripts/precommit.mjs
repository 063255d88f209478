/**
 * `npm run precommit`: what a change that is about to be committed can be told in seconds. As a Git hook, once in a clone:
 *
 *     git config core.hooksPath .githooks
 */
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { main, ROOT } from "./lib/repository.mjs";

await main(() => {
    const staged = execFileSync("git", ["diff", "--cached", "--name-only", "--diff-filter=ACMR", "-z"], { cwd: ROOT })
        .toString()
        .split("\0")
        .filter((file) => file !== "");
    const code = staged.filter((file) => /\.(ts|mjs|js)$/.test(file));
    const ok = [
        staged.length === 0 || run("prettier", ["--check", "--ignore-unknown", ...staged]),
        code.length === 0 || run("eslint", ["--no-warn-ignored", ...code]),
        run("node", [join(ROOT, "scripts", "generate.mjs"), "--check"]),
        run("node", [join(ROOT, "scripts", "docs.mjs"), "--check"]),
    ];
    return Promise.resolve(ok.every(Boolean) ? 0 : 1);
});

/**
 * @param {string} command
 * @param {string[]} args
 * @returns {boolean} whether it had nothing to complain of
 */
function run(command, args) {
    const file = command === "node" ? process.execPath : join(ROOT, "node_modules", ".bin", command);
    return spawnSync(file, args, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] }).status === 0;
}
