/**
 * `npm run plugin [-- FOLDER] [--platform linux-amd64 …] [--rebuild]`: writes the archives of the plugin to FOLDER, by
 * default plugins/, under the names that Pulumi downloads. Each contains a single executable that needs nothing else, the
 * documents of the npm package, and the templates for `pulumi new`. Those for macOS have no signature: scripts/sign.mjs signs them on macOS.
 *
 * To make Pulumi download them, set CLOUDDB_PLUGIN_DOWNLOAD_URL during `npm run generate`, and copy the archives to this
 * address.
 */
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { execa } from "execa";
import { writeCommit } from "./lib/commit.mjs";
import { filesBelow, readJson } from "./lib/files.mjs";
import { repositoryRoot, ScriptError } from "./lib/repository.mjs";
import { pack } from "./standalone/archive.mjs";
import { buildStandalone } from "./standalone/build.mjs";
import { runtimes } from "./standalone/runtimes.mjs";

/** Windows on Arm runs programs for other processors. npm has no package of this version of Node.js for it. */
const sameAs = { "windows-arm64": "windows-amd64" };
const all = [...runtimes.keys(), ...Object.keys(sameAs)].sort();

const templates = "templates";
/** The files of the npm package that are for readers. The archive has the templates at its top. */
const documents = /^([A-Z]+\.md$|docs\/|examples\/(?!templates\/))/;
/** The package in the Pulumi.yaml of a template, if npm has installed it. */
const npmPackage = "./node_modules/pulumi-clouddb";

export async function run(args) {
    const options = {
        platform: { type: "string", multiple: true, default: all },
        // Also what is up to date.
        rebuild: { type: "boolean", default: false },
    };
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [target = join(repositoryRoot, "plugins")] = positionals;
    const unknown = values.platform.find((one) => !all.includes(one));
    if (unknown !== undefined) {
        throw new ScriptError(`There is no platform ${unknown}. Use ${all.join(", ")}.`);
    }
    const { version } = readJson("package.json");
    mkdirSync(target, { recursive: true });
    for (const old of readdirSync(target).filter((name) => /^pulumi-resource-clouddb-v.*\.tar\.gz$/.test(name))) {
        rmSync(join(target, old));
    }
    for (const platform of values.platform) {
        const folder = await buildStandalone(sameAs[platform] ?? platform, values);
        copyFileSync(join(repositoryRoot, "LICENSE"), join(folder, "LICENSE"));
        await writeCommit(folder);
        await copyDocuments(folder);
        copyTemplates(join(folder, templates), version);
        const file = join(target, `pulumi-resource-clouddb-v${version}-${platform}.tar.gz`);
        await pack(folder, file);
    }
    process.stdout.write(`Wrote ${values.platform.length} archives of version ${version} to ${target}.\n`);
}

async function copyDocuments(folder) {
    const { stdout } = await execa("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: repositoryRoot });
    const [{ files }] = Object.values(JSON.parse(stdout));
    for (const name of ["docs", "examples"]) {
        rmSync(join(folder, name), { recursive: true, force: true });
    }
    for (const path of files.map((file) => file.path).filter((name) => documents.test(name))) {
        const file = join(folder, path);
        cpSync(join(repositoryRoot, path), file);
        if (/^examples\/.*\.md$/.test(path)) {
            const text = readFileSync(file, "utf8");
            writeFileSync(file, text.replaceAll(`](../${templates}/`, `](../../${templates}/`));
        }
    }
}

/** The templates for programs that use the installed plugin of this version. */
function copyTemplates(folder, version) {
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(repositoryRoot, "examples", templates), folder, { recursive: true });
    for (const file of filesBelow(folder).filter((name) => name.endsWith("Pulumi.yaml"))) {
        const text = readFileSync(join(folder, file), "utf8");
        writeFileSync(join(folder, file), text.replace(npmPackage, `clouddb@${version}`));
    }
}
