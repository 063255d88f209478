/** Programs of tests/ that run without jest. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./repository.mjs";

/** Below node_modules, so that the bundle finds the packages. */
const cache = join(repositoryRoot, "node_modules", ".cache");

/** Compiles a source file, and all sources of this repository that it uses, into one module in a new folder. */
export async function bundleTest(source) {
    const { rolldown } = await import("rolldown");
    const folder = join(cache, `clouddb-bundle-${process.pid}`);
    mkdirSync(folder, { recursive: true });
    const bundler = await rolldown({
        cwd: repositoryRoot,
        input: join(repositoryRoot, source),
        platform: "node",
        external: (id) => !id.startsWith(".") && !id.startsWith("/"),
    });
    const file = join(folder, "bundle.cjs");
    await bundler.write({ file, format: "cjs", codeSplitting: false });
    await bundler.close();
    return { file, folder };
}
