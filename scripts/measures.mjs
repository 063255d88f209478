/** `npm run measures [-- FOLDER...]`: the size of the code, beside that of other checkouts. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import ts from "typescript";
import { bootstrap } from "./bootstrap.mjs";
import { repositoryRoot, ScriptError } from "./lib/repository.mjs";
import { circlesIn } from "./measures/modules.mjs";

const folders = ["provider", "provider/lifecycle", "sdk/nodejs", "plugin", "cli", "emulator", "scripts", "bench"];

const definitions = `
Generated files do not count. Code lines have more than a comment.
exported names: what files of provider/ declare for others.
circles: groups of files that import each other, types included.
way: the files of provider/ with a named function that V8 sees executed between the call of the engine (create, update or
delete of the dynamic provider) and its end, and these functions; with a new provider process and an emulator.`;

export async function run(args) {
    const roots = [repositoryRoot, ...args.map((folder) => resolve(folder))];
    for (const root of roots) {
        if (!existsSync(join(root, "package.json"))) {
            throw new ScriptError(`${root} has no package.json; give the folder of a checkout.`);
        }
        await bootstrap({ root });
    }
    const columns = roots.map((root) => [root === repositoryRoot ? "here" : basename(root), measuresOf(root)]);
    const [[, here]] = columns;
    const rowOf = (name) => Object.fromEntries(columns.map(([column, measures]) => [column, measures[name]]));
    console.table(Object.fromEntries(Object.keys(here).map((name) => [name, rowOf(name)])));
    console.log(definitions.trim());
}

function measuresOf(root) {
    const list = ["ls-files", "--cached", "--others", "--exclude-standard"];
    const sources = execFileSync("git", list, { cwd: root, encoding: "utf8" })
        .split("\n")
        .filter((file) => /\.(tsx?|js|mjs|go)$/.test(file) && !file.includes(".gen."))
        .filter((file) => existsSync(join(root, file)))
        .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
    const sourcesIn = (...folders) => sources.filter(({ file }) => folders.some((one) => file.startsWith(`${one}/`)));
    const sum = (of, count) => of.reduce((total, { text, file }) => total + count(text, file), 0);
    const ways = Object.entries(waysOf(root)).flatMap(([name, { files, functions }]) => [
        [`way, ${name}: files`, files],
        [`way, ${name}: named functions`, functions],
    ]);
    return {
        ...Object.fromEntries(folders.map((one) => [`${one}, code lines`, sum(sourcesIn(one), codeLines)])),
        "provider, exported names": sum(sourcesIn("provider"), (text) => text.match(/^export /gm)?.length ?? 0),
        circles: circlesIn(sources),
        ...Object.fromEntries(ways),
        "tests, all lines": sum(sourcesIn("tests"), (text) => text.split("\n").length - 1),
    };
}

/** In a process of its own, because a process loads the provider of one checkout. */
function waysOf(root) {
    const script = join(repositoryRoot, "scripts/measures/ways.mjs");
    return JSON.parse(execFileSync(process.execPath, [script, root], { encoding: "utf8" }));
}

/** The number of lines that contain more than a comment. */
function codeLines(text, file) {
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line;
    const lines = new Set();
    const visit = (node) => {
        const children = node.getChildren();
        children.filter((child) => !ts.isJSDoc(child)).forEach(visit);
        if (children.length === 0 && node.getWidth() > 0) {
            for (let line = lineAt(node.getStart()); line <= lineAt(node.getEnd()); line += 1) {
                lines.add(line);
            }
        }
    };
    visit(source);
    return lines.size;
}
