/**
 * `npm run release [-- FOLDER]`: writes everything that a release contains to FOLDER, by default release/, and
 * publishes nothing. The same commit results in the same files, byte by byte. RELEASING.md describes a release.
 */
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { execa } from "execa";
import { bootstrap } from "./bootstrap.mjs";
import { run as generate } from "./generate.mjs";
import { warningOf } from "./docs/published.mjs";
import { writeCommit } from "./lib/commit.mjs";
import { inNewFolder, read, readJson } from "./lib/files.mjs";
import { repositoryRoot, ScriptError } from "./lib/repository.mjs";
import { run as buildPlugin } from "./plugin.mjs";
import { checksumFile, writeChecksums } from "./release/checksums.mjs";
import { buildPython } from "./release/python.mjs";
import { sbomOf } from "./release/sbom.mjs";

export async function run([name = "release"]) {
    const { version } = readJson("package.json");
    const notes = notesOf(version);
    // Generated files contain the version.
    const stale = await generate(["--check"]);
    if (stale) {
        return stale;
    }
    // Archives contain the modes of files.
    process.umask(0o022);
    const target = resolve(repositoryRoot, name);
    checkTarget(target);
    const epoch = await sourceDate();
    await bootstrap({ rebuild: true });
    return inNewFolder(async (folder) => {
        const pack = ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder];
        const removeCommit = await writeCommit(join(repositoryRoot, "dist", "plugin"));
        const { stdout } = await execa("npm", [...pack, "--json"], { cwd: repositoryRoot });
        removeCommit();
        const paths = JSON.parse(stdout)[0].files.map(({ path }) => path);
        process.stderr.write(warningOf(paths, process.env.GITHUB_REF_TYPE === "tag"));
        await buildPlugin([folder, "--rebuild"]);
        await buildPython(folder, epoch);
        writeFileSync(join(folder, `pulumi-clouddb-${version}.cdx.json`), sbomOf(epoch));
        writeFileSync(join(folder, "release-notes.md"), notes);
        const sums = writeChecksums(folder);
        rmSync(target, { recursive: true, force: true });
        cpSync(folder, target, { recursive: true });
        process.stdout.write(`${sums}Wrote version ${version} to ${target}.\n`);
        return 0;
    });
}

/** The section of the version in the changelog, without its heading. */
function notesOf(version) {
    const section = read("CHANGELOG.md")
        .split(/^## /m)
        .find((text) => text.split(/\s/)[0] === version);
    const text = section?.slice(section.indexOf("\n")).trim();
    if (!text) {
        throw new ScriptError(`CHANGELOG.md has no section "## ${version}", or it is empty. Write it.`);
    }
    return `${text}\n`;
}

/** Only an earlier release may be overwritten. */
function checkTarget(target) {
    const names = existsSync(target) ? readdirSync(target) : [];
    if (names.length > 0 && !names.includes(checksumFile)) {
        throw new ScriptError(`${target} contains files, but no release. Use another folder.`);
    }
}

/** The time of the files in archives, in seconds: SOURCE_DATE_EPOCH, by default the time of the last commit. */
async function sourceDate() {
    const { SOURCE_DATE_EPOCH: given } = process.env;
    return Number(given ?? (await execa("git", ["log", "-1", "--format=%ct"], { cwd: repositoryRoot })).stdout);
}
