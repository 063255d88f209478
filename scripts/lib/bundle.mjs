/** Bundles of sources. */
import { mkdirSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { inNewFolder } from "./files.mjs";
import { repositoryRoot } from "./repository.mjs";

/** Below node_modules, so that the modules find the packages. */
const cache = join(repositoryRoot, "node_modules", ".cache");

/** Bundles modules for Node.js as CommonJS, unless the options differ. Returns the files that it has written. */
export async function roll({ cwd = repositoryRoot, ...input }, output) {
    // Imported here: this module is loaded before `npm ci`.
    const { build } = await import("rolldown");
    const { output: written } = await build({ cwd, platform: "node", ...input, output: { format: "cjs", ...output } });
    return written;
}

/** The paths of the bundled modules. */
export const modulesOf = (written) => written.flatMap(({ moduleIds }) => moduleIds ?? []);

/**
 * Compiles source files, which are no part of the package, into modules for this work, with all sources of this repository that
 * they use.
 */
export function withBundle(sources, work) {
    mkdirSync(cache, { recursive: true });
    return inNewFolder(async (dir) => {
        const input = sources.map((source) => join(repositoryRoot, source));
        await roll({ input, external: (id) => !id.startsWith(".") && !isAbsolute(id) }, { dir });
        return work(...sources.map((source) => join(dir, basename(source).replace(/\.ts$/, ".js"))));
    }, cache);
}
