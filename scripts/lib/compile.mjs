/** dist/: whether it is what the sources say, and tsc when it is not. */
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { runInForeground } from "./children.mjs";
import { say, ScriptError } from "./repository.mjs";

/** The folders that tsconfig.build.json compiles. */
const SOURCES = ["bench", "cli", "emulator", "provider", "sdk"];
const SETTINGS = ["tsconfig.json", "tsconfig.build.json"];
const BUILD_INFO = "build.tsbuildinfo";
/** A build's lock; in dist/ because `npm ci` empties node_modules. */
export const LOCK = ".lock";

/** What the outputs were made from. In node_modules, so that another compiler means another build. */
const stampFile = (/** @type {string} */ root) => join(root, "node_modules", ".cache", "pulumi-clouddb", "build");

/** The compiler's notes on what it has compiled. */
const buildInfoFile = (/** @type {string} */ root) => join(root, "dist", BUILD_INFO);

/**
 * @param {string} root
 * @returns {string | undefined} why there is something to build
 */
export function whyBuild(root) {
    const built = builtFrom(root);
    const missing = missingOutput(root);
    if (missing !== undefined && (built === undefined || !existsSync(buildInfoFile(root)))) return "first build";
    if (built !== fingerprint(root)) return "the sources have changed";
    return missing && `${relative(root, missing)} is missing`;
}

/**
 * Tells two builds apart.
 *
 * @param {string} root
 * @returns {string | undefined} undefined when there is none
 */
export function builtFrom(root) {
    const file = stampFile(root);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/**
 * Builds in place: who is reading dist/ meanwhile finds each file there, old or new.
 *
 * @param {string} root
 * @param {{ whole?: boolean }} [options] - `whole`: compile even what has not changed
 */
export async function compile(root, { whole = false } = {}) {
    const why = whyBuild(root);
    if (why === undefined && !whole) return;
    say("build", `tsc, some seconds${why === undefined ? "" : ` (${why})`}`);
    const from = fingerprint(root);
    if (whole) rmSync(buildInfoFile(root), { force: true });
    await tsc(root);
    if (missingOutput(root) !== undefined) {
        // The compiler trusts its notes and does not look whether its outputs are still there.
        rmSync(buildInfoFile(root), { force: true });
        await tsc(root);
    }
    prune(root);
    const { bin = {} } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    for (const command of Object.values(bin)) {
        const file = join(root, command);
        if (existsSync(file)) chmodSync(file, 0o755);
    }
    mkdirSync(dirname(stampFile(root)), { recursive: true });
    writeFileSync(stampFile(root), from);
}

/** @param {string} root */
async function tsc(root) {
    const args = [
        join(root, "node_modules", "typescript", "bin", "tsc"),
        ...["-p", join(root, "tsconfig.build.json"), "--noEmitOnError"],
        ...["--incremental", "--tsBuildInfoFile", buildInfoFile(root)],
    ];
    const code = await runInForeground(process.execPath, args, { cwd: root, stdoutToStderr: true });
    if (code !== 0) throw new ScriptError("The sources do not compile; what tsc says is above.", code);
}

/** @param {string} root */
const missingOutput = (root) => outputsOf(root).find(({ required, path }) => required && !existsSync(path))?.path;

/**
 * Removes what was built from sources that are gone.
 *
 * @param {string} root
 */
function prune(root) {
    const dist = join(root, "dist");
    const expected = new Set([BUILD_INFO, LOCK].map((name) => join(dist, name)));
    for (const { path } of outputsOf(root)) expected.add(path);
    for (const file of filesIn(dist)) if (!expected.has(file)) rmSync(file);
}

/**
 * @param {string} root
 * @returns {{ path: string, required: boolean }[]}
 */
function outputsOf(root) {
    return sourcesOf(root).flatMap((source) => {
        const output = join(root, "dist", relative(root, source));
        // A JSON file is copied only if it is imported.
        if (!source.endsWith(".ts")) return [{ path: output, required: false }];
        return [".js", ".js.map", ".d.ts", ".d.ts.map"].map((ending) => ({
            path: output.replace(/\.ts$/, ending),
            required: true,
        }));
    });
}

/** @param {string} root */
function fingerprint(root) {
    const hash = createHash("sha256");
    for (const file of [...SETTINGS.map((name) => join(root, name)), ...sourcesOf(root)]) {
        hash.update(relative(root, file).replaceAll(sep, "/")).update("\0").update(readFileSync(file)).update("\0");
    }
    return hash.digest("hex");
}

/** @param {string} root */
function sourcesOf(root) {
    const files = SOURCES.flatMap((folder) => filesIn(join(root, folder)));
    return files.filter((file) => file.endsWith(".json") || (file.endsWith(".ts") && !file.endsWith(".d.ts")));
}

/**
 * @param {string} folder
 * @returns {string[]} sorted, with all that is below
 */
function filesIn(folder) {
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
        .sort();
}
