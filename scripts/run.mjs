/**
 * Installs and builds if necessary, then runs a script. The script can import every dependency:
 *
 *     node scripts/run.mjs NAME [ARGUMENT...]    the function `run` of scripts/NAME.mjs
 */
import { bootstrap, installPackages } from "./bootstrap.mjs";
import { buildAhead } from "./engine/ahead.mjs";
import { main } from "./lib/repository.mjs";

/** These scripts need no build: one generates the sources, which need not compile, and the others build only if a test needs it. */
const withoutBuild = ["generate", "mutate", "test"];

await main(async () => {
    const [name, ...args] = process.argv.slice(2);
    if (withoutBuild.includes(name)) {
        await installPackages();
    } else {
        await Promise.all([bootstrap(), name === "quickstart" ? buildAhead() : undefined]);
    }
    const { run } = await import(`./${name}.mjs`);
    return run(args);
});
