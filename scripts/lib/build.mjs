/** Builds dist/: tsc compiles the sources, and rolldown bundles each entry point of package.json. */
import { hash } from "node:crypto";
import { chmodSync, copyFileSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { modulesOf, roll } from "./bundle.mjs";
import { runInForeground } from "./children.mjs";
import { filesBelow, read, readJson } from "./files.mjs";
import { report, ScriptError } from "./repository.mjs";

const sources = ["cli", "emulator", "plugin", "provider", "sdk/nodejs"];
const settings = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json", "scripts/lib/build.mjs"];
/** The separate modules, for the scripts of this repository and for the declarations. */
const compiled = "dist/.build";
const stamp = `${compiled}/stamp`;
/** The web page of the emulator: a bundled script, and static files. */
const pageSources = "emulator/page/browser";
const page = "dist/emulator/page";
const pageFiles = ["index.html", "style.css", "icon.svg"];
/** The plugin: one file that needs only Node. */
const pluginFile = "dist/plugin/pulumi-resource-clouddb.js";
/** The parts of Pulumi's SDK that a component does not use, with the TypeScript compiler: 5 MB of the plugin. */
const unusedByPlugin =
    /[\\/]@pulumi[\\/]pulumi[\\/](automation|dynamic|provider[\\/]experimental|runtime[\\/]closure)[\\/]/;
const licenses = "third-party-licenses.txt";

/** A plugin of rolldown. */
export const withoutUnused = {
    name: "without-unused",
    load: { filter: { id: unusedByPlugin }, handler: () => "module.exports = {};" },
};

/** Rolldown ends the line of a member with the comment of the next one, where no editor finds it. */
const withCommentsOfMembers = {
    name: "comments-of-members",
    renderChunk: (code) => code.replace(/([;{]) ?(\/\*\*[^\n]*?\*\/)(?=\n|\w)/g, "$1\n$2\n"),
};

/**
 * The first statement of each entry point: fails on an older Node.js, which lacks functions that modules need when they are
 * loaded. Pulumi prints an error with this mark without its stack trace.
 */
const requiringNode = (minimum) => `
if (process.versions.node.localeCompare("${minimum}", "en", { numeric: true }) < 0) {
    const running = "This is Node.js " + process.versions.node + ", " + process.execPath + ".";
    const error = new Error("pulumi-clouddb needs Node.js ${minimum} or newer. " + running);
    throw Object.assign(error, { __pulumiRunError: true });
}`;

/** Identifies the build in dist/; undefined without one. */
export function builtFrom(root) {
    try {
        return read(stamp, root);
    } catch {
        // Another process may be building.
        return undefined;
    }
}

export function isBuilt(root) {
    return builtFrom(root) === fingerprint(root);
}

/** Builds in place, so that a process that reads dist/ always finds each file. */
export async function build(root) {
    report("build", "tsc and rolldown, some seconds");
    const from = fingerprint(root);
    // Until the end, dist/ can have files of two builds.
    rmSync(join(root, stamp), { force: true });
    const tsc = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--noEmitOnError", "--incremental"];
    const args = [...tsc, "--tsBuildInfoFile", `${compiled}/tsbuildinfo`];
    const code = await runInForeground(process.execPath, args, { cwd: root, stdoutToStderr: true });
    if (code !== 0) {
        // tsc would treat the files that it has not written as up to date.
        clean(root);
        const problem = "The sources do not compile. The output of tsc is above.";
        const stale =
            "Run `npm run generate` after a change of the contract, of a resource or of a function. If this is its output, add what tsc names first.";
        throw new ScriptError(`${problem} ${stale}`);
    }
    const outputs = new Set(await bundle(root));
    for (const file of filesIn(root, "dist")) {
        if (!file.startsWith("dist/.") && !outputs.has(file)) {
            rmSync(join(root, file));
        }
    }
    for (const name of entryPointsOf(root).all) {
        chmodSync(join(root, "dist", `${name}.js`), 0o755);
    }
    writeFileSync(join(root, stamp), from);
}

/** Removes the output of tsc, so that the next build compiles all files. */
export function clean(root) {
    rmSync(join(root, compiled), { recursive: true, force: true });
}

export function fingerprint(root) {
    const files = [...settings, ...sources.flatMap((folder) => filesIn(root, folder))];
    return hash("sha256", files.map((file) => `${file}\0${read(file, root)}\0`).join(""));
}

/** Paths from the root, in a fixed order. */
const filesIn = (root, folder) => filesBelow(join(root, folder)).map((file) => `${folder}/${file}`);

/** The paths of the entry points below dist/, without `.js`: those of imports, and all. */
function entryPointsOf(root) {
    const { exports, bin } = readJson("package.json", root);
    const nameOf = (file) => file.replace(/^(\.\/)?dist\/(.+)\.js$/, "$2");
    const imported = Object.values(exports).flatMap(({ default: file }) => (file ? nameOf(file) : []));
    return { imported, all: [...imported, ...Object.values(bin).map(nameOf)] };
}

/** Returns the files that it wrote. */
async function bundle(root) {
    const { dts } = await import("rolldown-plugin-dts");
    const { imported, all } = entryPointsOf(root);
    const inputs = (names, pathOf) => Object.fromEntries(names.map((name) => [name, join(root, pathOf(name))]));
    // The program brings the peer dependencies; it must not load a second @pulumi/pulumi.
    const peers = Object.keys(readJson("package.json", root).peerDependencies).map(
        (name) => new RegExp(`^${name}(/|$)`),
    );
    const dir = join(root, "dist");
    const check = requiringNode(readJson("package.json", root).engines.node.replace(">=", ""));
    const intro = ({ isEntry }) => (isEntry ? check : "");
    const code = await roll(
        { cwd: root, input: inputs(all, (name) => `${name}.ts`), external: peers },
        // Otherwise `import *` copies the module in TypeScript, and Pulumi does not recognize it in a function that it serializes.
        { dir, chunkFileNames: "shared/[name].js", esModule: true, intro },
    );
    const types = await roll(
        {
            cwd: root,
            input: inputs(imported, (name) => `${compiled}/${name}.d.ts`),
            external: (id) => !id.startsWith(".") && !isAbsolute(id),
            plugins: [dts({ dtsInput: true, cjsDefault: true }), withCommentsOfMembers],
        },
        { dir, format: "es", chunkFileNames: "shared/[name].ts" },
    );
    // With all its dependencies, also those that the program brings for the other entry points.
    const plugin = await roll(
        { cwd: root, input: join(root, "plugin", "main.ts"), plugins: [withoutUnused] },
        { file: join(root, pluginFile), codeSplitting: false, minify: true, intro },
    );
    const pageCode = await roll(
        { cwd: root, input: { page: join(root, pageSources, "main.tsx") }, platform: "browser" },
        { dir: join(root, page), format: "es" },
    );
    for (const name of pageFiles) {
        copyFileSync(join(root, pageSources, name), join(root, page, name));
    }
    writeFileSync(join(dir, licenses), licensesOf(modulesOf([...code, ...plugin, ...pageCode])));
    return [
        ...[...code, ...types].map(({ fileName }) => `dist/${fileName}`),
        ...[...pageCode.map(({ fileName }) => fileName), ...pageFiles].map((name) => `${page}/${name}`),
        ...[`dist/${licenses}`, pluginFile],
    ];
}

/** The licenses of the packages of bundled modules. */
export function licensesOf(modules) {
    const pattern = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;
    const folders = new Set(modules.flatMap((module) => pattern.exec(module)?.[0] ?? []));
    const texts = [...folders].map((folder) => {
        const { name, version, license } = readJson("package.json", folder);
        const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
        const text = file === undefined ? "" : `\n\n${readFileSync(join(folder, file), "utf8").trim()}`;
        return `${name} ${version} (${license})${text}\n`;
    });
    return texts.sort().join(`\n${"-".repeat(80)}\n\n`);
}
