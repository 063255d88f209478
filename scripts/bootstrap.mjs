/**
 * Installs and builds what is missing or stale.
 *
 *     node scripts/bootstrap.mjs [--rebuild]    --rebuild: build even if dist/ is up to date
 */
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withLock } from "./engine/lock.mjs";
import { build, clean, isBuilt } from "./lib/build.mjs";
import { install, isInstalled } from "./lib/install.mjs";
import { main, repositoryRoot } from "./lib/repository.mjs";

/** Concurrent calls in several processes wait for the first one. */
export async function bootstrap({ root = repositoryRoot, rebuild = false } = {}) {
    if (!rebuild && isInstalled(root) && isBuilt(root)) {
        return;
    }
    await locked(root, async () => {
        await install(root);
        if (rebuild) {
            clean(root);
        }
        if (!isBuilt(root)) {
            await build(root);
        }
    });
}

/** For scripts that must run even if the sources do not compile. */
export async function installPackages(root = repositoryRoot) {
    if (!isInstalled(root)) {
        await locked(root, () => install(root));
    }
}

async function locked(root, work) {
    // In dist/, because `npm ci` deletes node_modules.
    mkdirSync(join(root, "dist"), { recursive: true });
    await withLock(join(root, "dist", ".lock"), "installs or builds", work);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
    await main(() => bootstrap({ rebuild: process.argv.includes("--rebuild") }));
}
