/** `npm run bench [-- OPTIONS]`: see bench/main.ts; `npm run bench -- engine [OPTIONS]`: see bench/engine/main.ts. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { bootstrap } from "./bootstrap.mjs";
import { ensureEngine, pathWithEngine } from "./engine/setup.mjs";
import { withBundle } from "./lib/bundle.mjs";
import { pulumiEnvironment } from "./lib/environment.mjs";
import { repositoryRoot } from "./lib/repository.mjs";

export const run = ([command, ...args]) =>
    withBundle(["bench/main.ts"], (file) => {
        const { bench, benchEngine } = createRequire(file)(file);
        return command === "engine"
            ? benchEngine(args, repositoryRoot, prepare)
            : bench(
                  [command, ...args].filter((one) => one !== undefined),
                  repositoryRoot,
              );
    });

/** Installs and builds checkouts, and returns the engine. */
async function prepare(roots) {
    for (const root of roots) {
        await bootstrap({ root });
    }
    const engine = await ensureEngine();
    const environmentIn = (folder) =>
        pulumiEnvironment({
            path: pathWithEngine(engine),
            home: join(folder, "home"),
            state: join(folder, "state"),
            passphrase: "bench",
        });
    return { version: engine.version, environmentIn };
}
