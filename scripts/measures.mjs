/** `npm run measures [-- COMMIT]`: the size of the code, beside that of an older commit. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execaSync } from "execa";
import { extract } from "tar";
import ts from "typescript";
import { repositoryRoot } from "./lib/repository.mjs";

const products = ["provider", "sdk/nodejs", "plugin", "cli", "emulator"];

export async function run([commit]) {
    const now = measure(repositoryRoot, git("ls-files"));
    const before = commit === undefined ? {} : await measureCommit(commit);
    const rows = Object.entries(now).map(([name, count]) => [name, { [commit]: before[name], now: count }]);
    console.table(Object.fromEntries(rows), [...(commit === undefined ? [] : [commit]), "now"]);
}

async function measureCommit(commit) {
    const folder = mkdtempSync(join(tmpdir(), "clouddb-measures-"));
    try {
        const file = join(folder, "commit.tar");
        git("archive", "--output", file, commit);
        await extract({ cwd: folder, file });
        return measure(folder, git("ls-tree", "-r", "--name-only", commit));
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

const git = (...args) => execaSync("git", args, { cwd: repositoryRoot }).stdout;

/** The measures of a folder, from the names of its files. Generated files do not count. */
function measure(root, listing) {
    const files = listing.split("\n").filter((file) => /\.(ts|js|mjs|go)$/.test(file) && !file.includes(".gen."));
    const textsIn = (...folders) =>
        files
            .filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)) && existsSync(join(root, file)))
            .map((file) => readFileSync(join(root, file), "utf8"));
    const allLines = (text) => text.split("\n").length - 1;
    const sum = (texts, count) => texts.reduce((total, text) => total + count(text), 0);
    return {
        ...Object.fromEntries(products.map((folder) => [`${folder}, code lines`, sum(textsIn(folder), codeLines)])),
        "tests, all lines": sum(textsIn("tests"), allLines),
        "scripts and bench, all lines": sum(textsIn("scripts", "bench"), allLines),
        "hidden state fields and inputs": new Set(textsIn("provider").flatMap(hiddenNames)).size,
    };
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
