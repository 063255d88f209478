/** `npm run bench [-- OPTIONS]`: see bench/main.ts. */
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { ensureEngine, pathWithEngine } from "./engine/setup.mjs";
import { withBundle } from "./lib/bundle.mjs";
import { pulumiEnvironment } from "./lib/environment.mjs";
import { repositoryRoot } from "./lib/repository.mjs";

/** The processes of the benchmark load the others by their paths. */
const programs = ["main", "engine/program", "engine/baseline"];

export function run(args) {
    const sources = programs.map((name) => `bench/${name}.ts`);
    return withBundle(sources, (main) => {
        const surroundings = async () => {
            const path = pathWithEngine(await ensureEngine());
            return {
                root: repositoryRoot,
                programs: dirname(main),
                environment: (folders) => pulumiEnvironment({ path, passphrase: "benchmark", ...folders }),
            };
        };
        return createRequire(main)(main).bench(args, repositoryRoot, surroundings);
    });
}
