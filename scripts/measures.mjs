/** `npm run measures`: the size of the code. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { execaSync } from "execa";
import ts from "typescript";
import { repositoryRoot } from "./lib/repository.mjs";

const products = ["provider", "sdk/nodejs", "plugin", "cli", "emulator"];

/** Generated files do not count. */
export function run() {
    const listing = execaSync("git", ["ls-files"], { cwd: repositoryRoot }).stdout;
    const files = listing.split("\n").filter((file) => /\.(ts|js|mjs|go)$/.test(file) && !file.includes(".gen."));
    const textsIn = (...folders) =>
        files
            .map((file) => ({ file, path: join(repositoryRoot, file) }))
            .filter(({ file, path }) => folders.some((folder) => file.startsWith(`${folder}/`)) && existsSync(path))
            .map(({ path }) => readFileSync(path, "utf8"));
    const allLines = (text) => text.split("\n").length - 1;
    const sum = (texts, count) => texts.reduce((total, text) => total + count(text), 0);
    console.table({
        ...Object.fromEntries(products.map((folder) => [`${folder}, code lines`, sum(textsIn(folder), codeLines)])),
        "tests, all lines": sum(textsIn("tests"), allLines),
        "scripts and bench, all lines": sum(textsIn("scripts", "bench"), allLines),
        "hidden state fields and inputs": new Set(textsIn("provider").flatMap(hiddenNames)).size,
    });
}

/** The number of lines that contain more than a comment. */
function codeLines(text) {
    const tokens = nodesOf(text).filter((node) => node.getChildCount() === 0 && node.getWidth() > 0);
    return new Set(tokens.flatMap(linesOf)).size;
}

function linesOf(node) {
    const lineAt = (position) => node.getSourceFile().getLineAndCharacterOfPosition(position).line;
    const first = lineAt(node.getStart());
    return Array.from({ length: lineAt(node.getEnd()) - first + 1 }, (_, index) => first + index);
}

/** The hidden properties that a type declares. */
function hiddenNames(text) {
    const names = nodesOf(text)
        .filter(ts.isPropertySignature)
        .map(({ name }) => name.getText());
    return names.filter((name) => name.startsWith("__"));
}

/** The syntax tree of a source, without its comments. */
function nodesOf(text) {
    const below = (node) => [
        node,
        ...node
            .getChildren()
            .filter((child) => !ts.isJSDoc(child))
            .flatMap(below),
    ];
    return below(ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true));
}
