/** Programs of this repository that are not part of the package. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { repositoryRoot } from "./repository.mjs";

/** Below node_modules, so that the modules find the packages. */
const cache = join(repositoryRoot, "node_modules", ".cache");

/** Compiles source files, and all sources of this repository that they use, into modules for this work. */
export async function withBundle(sources, work) {
    const { rolldown } = await import("rolldown");
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(join(cache, "clouddb-bundle-"));
    try {
        const bundler = await rolldown({
            cwd: repositoryRoot,
            input: sources.map((source) => join(repositoryRoot, source)),
            platform: "node",
            external: (id) => !id.startsWith(".") && !id.startsWith("/"),
        });
        await bundler.write({ dir: folder, format: "cjs" });
        await bundler.close();
        return await work(...sources.map((source) => join(folder, basename(source).replace(/\.ts$/, ".js"))));
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}
