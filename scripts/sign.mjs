/**
 * `node scripts/run.mjs sign FOLDER`, on macOS: signs the executables in the archives for macOS of a release, and updates its
 * checksums. With an Apple Developer ID in CODESIGN_IDENTITY, otherwise ad hoc, which macOS requires of every program for its
 * own processors.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { extract } from "tar";
import { inNewFolder } from "./lib/files.mjs";
import { ScriptError } from "./lib/repository.mjs";
import { writeChecksums } from "./release/checksums.mjs";
import { pack } from "./standalone/archive.mjs";

const executable = "pulumi-resource-clouddb";
/** What Node.js needs with the protections that Apple requires for a notarization. */
const entitlements = fileURLToPath(new URL("standalone/entitlements.plist", import.meta.url));

export async function run([release]) {
    const archives = release ? readdirSync(release).filter((name) => /-darwin-\w+\.tar\.gz$/.test(name)) : [];
    if (archives.length === 0) {
        throw new ScriptError("Name the folder of a release, which contains archives for macOS.");
    }
    for (const name of archives) {
        await signArchive(join(release, name));
        process.stdout.write(`Signed ${name}.\n`);
    }
    writeChecksums(release);
}

const signArchive = (file) =>
    inNewFolder(async (folder) => {
        await extract({ file, cwd: folder });
        const { CODESIGN_IDENTITY: identity } = process.env;
        const options = identity ? ["--options", "runtime", "--timestamp", "--entitlements", entitlements] : [];
        await execa("codesign", ["--force", "--sign", identity || "-", ...options, join(folder, executable)]);
        await execa("codesign", ["--verify", "--strict", join(folder, executable)]);
        await pack(folder, file);
    });
