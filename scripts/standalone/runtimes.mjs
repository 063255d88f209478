/** The Node.js runtimes that the single executables contain, from the npm packages in package.json of this folder. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { withLock } from "../engine/lock.mjs";
import { cacheRoot } from "../engine/setup.mjs";
import { report } from "../lib/repository.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const files = ["package.json", "package-lock.json"];
const { packages } = JSON.parse(readFileSync(join(here, "package-lock.json"), "utf8"));

/** The names that Pulumi, which uses those of Go, gives to the systems and processors of npm. */
const namesOfPulumi = { win32: "windows", x64: "amd64" };
const nameOfPulumi = (name) => namesOfPulumi[name] ?? name;

export const platformOf = ({ os, cpu }) => `${nameOfPulumi(os)}-${nameOfPulumi(cpu)}`;

/** The platform of this process. */
export const thisPlatform = platformOf({ os: process.platform, cpu: process.arch });

/**
 * The runtime of each platform, such as linux-amd64.
 *
 * @type {ReadonlyMap<string, { name: string, version: string, integrity: string, os: string, cpu: string, program: string }>}
 */
export const runtimes = new Map(
    Object.entries(packages)
        .filter(([path]) => path !== "")
        .map(([path, { version, integrity, os, cpu, bin }]) => {
            const name = path.replace("node_modules/", "");
            return [platformOf({ os, cpu }), { name, version, integrity, os, cpu, program: bin.node }];
        }),
);

/** Installs the runtime of a platform in the cache, unless it is there. Returns the folder of its package. */
export async function ensureRuntime(platform) {
    const { name, version, os, cpu, program } = runtimes.get(platform);
    const root = join(cacheRoot(), "runtimes");
    const folder = join(root, `${name}-${version}`);
    const installed = join(folder, "node_modules", name);
    mkdirSync(root, { recursive: true });
    await withLock(`${folder}.lock`, `installs ${name}`, async () => {
        if (existsSync(join(installed, program))) {
            return;
        }
        report("runtime", `${name} ${version}, about 50 MB`, "plugin");
        // In another folder first, so that the folder in the cache is either complete or absent.
        const stage = `${folder}.tmp`;
        rmSync(stage, { recursive: true, force: true });
        mkdirSync(stage);
        files.forEach((file) => copyFileSync(join(here, file), join(stage, file)));
        const quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
        await execa("npm", ["ci", `--os=${os}`, `--cpu=${cpu}`, ...quietly], { cwd: stage });
        rmSync(folder, { recursive: true, force: true });
        renameSync(stage, folder);
    });
    return installed;
}
