/** `npm run emulator -- …`: the emulator as it is in this clone. Its arguments: `npm run emulator -- --help`. */
import { join } from "node:path";
import { bootstrap } from "./bootstrap.mjs";
import { runInForeground } from "./lib/children.mjs";
import { main, ROOT } from "./lib/repository.mjs";

await main(async () => {
    await bootstrap();
    return runInForeground(process.execPath, [join(ROOT, "dist", "emulator", "cli.js"), ...process.argv.slice(2)]);
});
