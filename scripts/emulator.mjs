/** `npm run emulator -- OPTIONS`: the emulator of this clone. */
import { join } from "node:path";
import { runInForeground } from "./lib/children.mjs";
import { repositoryRoot } from "./lib/repository.mjs";

export const run = (args) =>
    runInForeground(process.execPath, [join(repositoryRoot, "dist", "emulator", "cli.js"), ...args]);
