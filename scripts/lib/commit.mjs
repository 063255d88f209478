/** The commit that the plugin prints with `--version`. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { repositoryRoot } from "./repository.mjs";

const git = (...args) => execa("git", args, { cwd: repositoryRoot, reject: false });

/** Writes the commit of this checkout next to a plugin, where plugin/version.ts reads it. Returns what removes it. */
export async function writeCommit(folder) {
    const file = join(folder, "commit.txt");
    const commit = await git("rev-parse", "--short=12", "HEAD");
    const changes = await git("status", "--porcelain");
    // Sources that somebody has downloaded as an archive have no commit.
    const text = commit.failed ? "of unknown sources" : `${commit.stdout}${changes.stdout && " with local changes"}`;
    writeFileSync(file, `${text}\n`);
    return () => rmSync(file);
}
