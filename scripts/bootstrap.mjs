/**
 * Makes a clone ready to run: what is missing or stale is installed and built, and nothing else.
 *
 *     node scripts/bootstrap.mjs
 */
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { takeLock } from "../engine/lock.mjs";
import { compile, LOCK, whyBuild } from "./lib/compile.mjs";
import { install, whyInstall } from "./lib/install.mjs";
import { main, requireNode, ROOT, say } from "./lib/repository.mjs";

/**
 * Safe to call again and at the same time in another process: one works, the others wait for it. Says nothing when there is
 * nothing to do.
 *
 * @param {{ root?: string, rebuild?: boolean }} [options] - `rebuild`: build even what seems to be up to date
 */
export async function bootstrap({ root = ROOT, rebuild = false } = {}) {
    requireNode();
    if (!rebuild && whyInstall(root) === undefined && whyBuild(root) === undefined) return;
    mkdirSync(join(root, "dist"), { recursive: true });
    const release = await takeLock(join(root, "dist", LOCK), {
        signal: new AbortController().signal,
        onWait: ({ pid }) => say("wait", `for process ${pid}, which is installing or building`),
    });
    try {
        await install(root);
        await compile(root, { whole: rebuild });
    } finally {
        release();
    }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) await main(() => bootstrap());
