import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { version as number } from "../provider/api/version.gen";

/** The line of `--version`: the version, and the commit that a build has written next to the plugin. */
export function version(): string {
    const file = join(__dirname, "commit.txt");
    return `${number} ${existsSync(file) ? readFileSync(file, "utf8").trim() : "built from a clone"}\n`;
}
