/**
 * `npm run build:plugin [-- FOLDER] [--platform linux-amd64 …]`: writes the archives of the plugin to FOLDER, by default
 * plugins/, under the names that Pulumi downloads. Each contains a single executable that needs nothing else. Those for macOS
 * have no signature; .github/workflows/release.yml signs them.
 *
 * To make Pulumi download them, set CLOUDDB_PLUGIN_DOWNLOAD_URL during `npm run generate`, and copy the archives to this
 * address.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { create } from "tar";
import { repositoryRoot, ScriptError } from "./lib/repository.mjs";
import { buildStandalone, executableOf, licenseOfNode, licenses } from "./standalone/build.mjs";
import { runtimes } from "./standalone/runtimes.mjs";

/** Windows on Arm runs programs for other processors. npm has no package of this version of Node.js for it. */
const sameAs = { "windows-arm64": "windows-amd64" };

const all = [...runtimes.keys(), ...Object.keys(sameAs)].sort();

export async function run(args) {
    const options = { platform: { type: "string", multiple: true, default: all } };
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [target = join(repositoryRoot, "plugins")] = positionals;
    const unknown = values.platform.find((one) => !all.includes(one));
    if (unknown !== undefined) {
        throw new ScriptError(`There is no platform ${unknown}. Use ${all.join(", ")}.`);
    }
    const { version } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
    mkdirSync(target, { recursive: true });
    for (const old of readdirSync(target).filter((name) => /^pulumi-resource-clouddb-v.*\.tar\.gz$/.test(name))) {
        rmSync(join(target, old));
    }
    for (const platform of values.platform) {
        const built = sameAs[platform] ?? platform;
        const folder = await buildStandalone(built);
        copyFileSync(join(repositoryRoot, "LICENSE"), join(folder, "LICENSE"));
        const file = join(target, `pulumi-resource-clouddb-v${version}-${platform}.tar.gz`);
        // Without dates and owners, the same sources result in the same archive.
        await create({ cwd: folder, file, gzip: true, portable: true, noMtime: true }, [
            executableOf(built),
            "LICENSE",
            licenses,
            licenseOfNode,
        ]);
    }
    process.stdout.write(`Wrote ${values.platform.length} archives of version ${version} to ${target}.\n`);
}
