import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder of the package. Sources and built modules are at different depths below it. */
export function packageFolder(): string {
    for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
        if (existsSync(join(folder, "package.json"))) {
            return folder;
        }
    }
    throw new Error("package.json is missing in the package of the emulator.");
}
