/**
 * `npm run build:plugin`: writes the archives of the plugin to plugins/, under the names that Pulumi downloads.
 *
 * All archives have the same content, because the plugin needs only Node. To make Pulumi download them, set
 * CLOUDDB_PLUGIN_DOWNLOAD_URL during `npm run generate`, and copy the archives to this address.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { create } from "tar";
import { repositoryRoot } from "./lib/repository.mjs";

const platforms = ["linux", "darwin", "windows"].flatMap((os) => [`${os}-amd64`, `${os}-arm64`]);
const files = [
    "pulumi-resource-",
    "pulumi-resource-clouddb",
    "pulumi-resource-clouddb.cmd",
    "dist/plugin/pulumi-resource-clouddb.js",
    "dist/third-party-licenses.txt",
    "LICENSE",
];

export async function run([folder = join(repositoryRoot, "plugins")]) {
    const { version } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
    mkdirSync(folder, { recursive: true });
    for (const old of readdirSync(folder).filter((name) => /^pulumi-resource-clouddb-v.*\.tar\.gz$/.test(name))) {
        rmSync(join(folder, old));
    }
    const [first, ...others] = platforms.map((platform) =>
        join(folder, `pulumi-resource-clouddb-v${version}-${platform}.tar.gz`),
    );
    // Without dates and owners, the same sources result in the same archive.
    await create({ cwd: repositoryRoot, file: first, gzip: true, portable: true, noMtime: true }, files);
    for (const other of others) {
        copyFileSync(first, other);
    }
    process.stdout.write(`Wrote ${platforms.length} archives of version ${version} to ${folder}.\n`);
}
