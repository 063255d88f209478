/** The packed package, and what can be said of it without running it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/repository.mjs";
import { plainEnvironment, run } from "./run.mjs";

/** What a user of the package needs, and nothing else. */
const WANTED =
    /^(dist\/(cli|emulator|provider|sdk)\/.+\.(js|d\.ts|json)(\.map)?|package\.json|(README|CHANGELOG)\.md|LICENSE)$/;
const NEEDED = ["package.json", "README.md", "CHANGELOG.md", "LICENSE"];
/** Node's own resolution, for programs of both kinds; the one before `exports` knows no entry but the main one. */
const ATTW = ["--profile", "node16", "--no-emoji", "--no-color", "--format", "ascii"];

/** @typedef {{ file: string, version: string, files: readonly string[] }} Tarball */

/**
 * @param {string} source - a folder with a package.json, built
 * @param {string} folder - takes the tarball
 * @param {AbortSignal} signal
 * @returns {Promise<Tarball>}
 */
export async function pack(source, folder, signal) {
    mkdirSync(folder, { recursive: true });
    const args = ["pack", "--json", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder];
    const [answer] = Object.values(
        JSON.parse(await run(["npm", ...args], { cwd: source, env: plainEnvironment(), signal })),
    );
    return {
        file: join(folder, answer.filename),
        version: answer.version,
        files: answer.files.map(({ path }) => path),
    };
}

/**
 * The same package under a higher version.
 *
 * @param {Tarball} tarball
 * @param {string} folder
 * @param {AbortSignal} signal
 */
export async function packHigher(tarball, folder, signal) {
    mkdirSync(folder, { recursive: true });
    await run(["tar", "-xzf", tarball.file, "-C", folder], { cwd: folder, env: process.env, signal });
    const [major, minor] = tarball.version.split(".").map(Number);
    const higher = `${major}.${minor + 1}.0`;
    const source = join(folder, "package");
    for (const name of ["package.json", "dist/provider/api/version.gen.js"]) {
        const file = join(source, name);
        const text = readFileSync(file, "utf8");
        const changed = text.replace(`"${tarball.version}"`, `"${higher}"`);
        if (changed === text) throw new Error(`There is no ${tarball.version} in ${name} of the package.`);
        writeFileSync(file, changed);
    }
    return pack(source, folder, signal);
}

/**
 * @param {Tarball} tarball
 * @param {AbortSignal} signal
 * @returns {{ name: string, check: () => Promise<string> }[]} each answers what there is to say of it, or throws
 */
export function checksOf(tarball, signal) {
    const tool = (name, ...args) => {
        const command = [process.execPath, join(ROOT, "node_modules", ".bin", name), ...args];
        return run(command, { cwd: ROOT, env: plainEnvironment(), signal });
    };
    return [
        { name: "contents", check: async () => contents(tarball) },
        {
            name: "publint",
            check: async () => (await tool("publint", "run", tarball.file, "--strict"), "nothing to complain of"),
        },
        {
            name: "attw",
            check: async () => (await tool("attw", tarball.file, ...ATTW), "types for CommonJS and ES modules"),
        },
    ];
}

/** @param {Tarball} tarball */
function contents({ files }) {
    const surplus = files.filter((path) => !WANTED.test(path));
    if (surplus.length > 0) throw new Error(`The package holds what nobody needs: ${surplus.join(", ")}`);
    const missing = NEEDED.filter((path) => !files.includes(path));
    if (missing.length > 0) throw new Error(`The package lacks ${missing.join(", ")}`);
    return `${files.length} files`;
}
