/** `npm run bench [-- OPTIONS]`: this provider beside its peers. Its options: `npm run bench -- --help`. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureEngine, pathWithEngine } from "../engine/setup.mjs";
import { bootstrap } from "./bootstrap.mjs";
import { main, ROOT } from "./lib/repository.mjs";

await main(async () => {
    await bootstrap();
    const { bench } = await import(pathToFileURL(join(ROOT, "dist", "bench", "main.js")).href);
    return bench(process.argv.slice(2), {
        root: ROOT,
        pathWithEngine: async () => pathWithEngine(await ensureEngine()),
    });
});
