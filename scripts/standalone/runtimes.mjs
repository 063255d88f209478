/** The Node.js runtimes that the single executables contain, from the npm packages in package.json of this folder. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { cached, ensureFolder } from "../lib/cache.mjs";
import { readJson } from "../lib/files.mjs";
import { report } from "../lib/repository.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const files = ["package.json", "package-lock.json"];
const { packages } = readJson("package-lock.json", here);

/** The names that Pulumi, which uses those of Go, gives to the systems and processors of npm. */
const namesOfPulumi = { win32: "windows", x64: "amd64" };
const nameOfPulumi = (name) => namesOfPulumi[name] ?? name;

export const platformOf = ({ os, cpu }) => `${nameOfPulumi(os)}-${nameOfPulumi(cpu)}`;

/** The platform of this process. */
export const thisPlatform = platformOf({ os: process.platform, cpu: process.arch });

/**
 * The runtime of each platform, such as linux-amd64.
 *
 * @type {ReadonlyMap<string, { name: string, version: string, integrity: string, license: string, os: string, cpu: string, program: string }>}
 */
export const runtimes = new Map(
    Object.entries(packages)
        .filter(([path]) => path !== "")
        .map(([path, { version, integrity, license, os, cpu, bin }]) => {
            const name = path.replace("node_modules/", "");
            return [platformOf({ os, cpu }), { name, version, integrity, license, os, cpu, program: bin.node }];
        }),
);

/** Installs the runtime of a platform in the cache, unless it is there. Returns the folder of its package. */
export async function ensureRuntime(platform) {
    const { name, version, os, cpu } = runtimes.get(platform);
    const folder = cached("runtimes", `${name}-${version}`);
    await ensureFolder(folder, async (stage) => {
        report("runtime", `${name} ${version}, about 50 MB`, "plugin");
        files.forEach((file) => copyFileSync(join(here, file), join(stage, file)));
        const quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
        await execa("npm", ["ci", `--os=${os}`, `--cpu=${cpu}`, ...quietly], { cwd: stage });
    });
    return join(folder, "node_modules", name);
}
