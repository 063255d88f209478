import { readdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "./command";
import { root } from "./documents";
import { newFolder } from "./folder";

/** The platform of this process in the notation of Pulumi. */
export const thisPlatform = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;

/** Builds the archives of these platforms, by default of all. Returns their paths by the platform. */
export async function buildArchives(...platforms: readonly string[]): Promise<Record<string, string>> {
    const folder = newFolder();
    const options = platforms.flatMap((platform) => ["--platform", platform]);
    await run(process.execPath, [join(root, "scripts", "run.mjs"), "plugin", folder, ...options], { cwd: root });
    const names = readdirSync(folder).map((name) => [/-(\w+-\w+)\.tar\.gz$/.exec(name)?.[1] ?? "", join(folder, name)]);
    return Object.fromEntries(names) as Record<string, string>;
}
