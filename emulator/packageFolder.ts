import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { singleFile } from "../provider/base/installation";

/** Reads a file of the package, which a single executable contains. `path` has slashes. */
export function readPackageFile(path: string): string {
    return singleFile?.getAsset(path, "utf8") ?? readFileSync(join(packageFolder(), path), "utf8");
}

/** The folder of the package. Sources and built modules are at different depths below it. */
function packageFolder(): string {
    for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
        if (existsSync(join(folder, "package.json"))) {
            return folder;
        }
    }
    throw new Error("package.json is missing in the package of the emulator.");
}
