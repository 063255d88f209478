/** The packed package, and the checks that do not run it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import semver from "semver";
import { repositoryRoot } from "../lib/repository.mjs";
import { run } from "./run.mjs";

/** The files that the package may contain. */
const wantedFiles =
    /^(dist\/(cli|emulator|provider|sdk|shared)\/.+\.(js|d\.ts)|dist\/emulator\/page\/(page\.js|index\.html|style\.css|icon\.svg)|dist\/third-party-licenses\.txt|package\.json|(README|CHANGELOG)\.md|LICENSE)$/;
const neededFiles = ["package.json", "README.md", "CHANGELOG.md", "LICENSE"];
const maxFiles = 60;
/** Only the resolution of Node: the older one does not support `exports`. */
const attwOptions = ["--profile", "node16", "--no-emoji", "--no-color", "--format", "ascii"];

/** Packs the built package in the folder `source`. */
export async function pack(source, folder) {
    mkdirSync(folder, { recursive: true });
    const args = ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder];
    const [packed] = Object.values(JSON.parse(await run(["npm", ...args], { cwd: source })));
    const files = packed.files.map(({ path }) => path);
    return { file: join(folder, packed.filename), version: packed.version, files };
}

/** Packs the same package with a higher version. */
export async function packHigher({ file, version, files }, folder) {
    mkdirSync(folder, { recursive: true });
    await run(["tar", "-xzf", file, "-C", folder], { cwd: folder });
    const source = join(folder, "package");
    const higher = semver.inc(version, "minor");
    const replaceIn = (name, key) => {
        const text = readFileSync(join(source, name), "utf8");
        writeFileSync(join(source, name), text.replace(`${key}"${version}"`, `${key}"${higher}"`));
        return text.includes(`${key}"${version}"`);
    };
    const code = files.filter((name) => name.endsWith(".js") && replaceIn(name, "version = "));
    if (!replaceIn("package.json", '"version": ') || code.length === 0) {
        throw new Error(`The package does not contain its version ${version}.`);
    }
    return pack(source, folder);
}

/** Each check returns a summary, or throws. */
export function checksOf({ file, files }) {
    const tool = (name, ...args) =>
        run([process.execPath, join(repositoryRoot, "node_modules", ".bin", name), ...args], { cwd: repositoryRoot });
    return {
        contents: () => contents(files),
        publint: () => tool("publint", "run", file, "--strict").then(() => "no messages"),
        attw: () => tool("attw", file, ...attwOptions).then(() => "types for CommonJS and ES modules"),
    };
}

function contents(files) {
    const surplus = files.filter((path) => !wantedFiles.test(path));
    if (surplus.length > 0) {
        throw new Error(`The package contains unnecessary files: ${surplus.join(", ")}`);
    }
    const missing = neededFiles.filter((path) => !files.includes(path));
    if (missing.length > 0) {
        throw new Error(`The package lacks ${missing.join(", ")}`);
    }
    if (files.length >= maxFiles) {
        throw new Error(`The package has ${files.length} files`);
    }
    return `${files.length} files`;
}
