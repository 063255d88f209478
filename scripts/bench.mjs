/** `npm run bench [-- OPTIONS]`: see bench/main.ts. */
import { createRequire } from "node:module";
import { ensureEngine, pathWithEngine } from "./engine/setup.mjs";
import { pulumiEnvironment } from "./lib/environment.mjs";
import { repositoryRoot } from "./lib/repository.mjs";
import { buildStandalone } from "./standalone/build.mjs";
import { thisPlatform } from "./standalone/runtimes.mjs";

export function run(args) {
    const { bench } = createRequire(import.meta.url)("../dist/.build/bench/main.js");
    const engine = async () => {
        const path = pathWithEngine(await ensureEngine());
        return (folders) => pulumiEnvironment({ path, passphrase: "benchmark", ...folders });
    };
    return bench(args, { root: repositoryRoot, engine, single: () => buildStandalone(thisPlatform) });
}
