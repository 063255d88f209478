import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(__dirname, "..", "..");

/** A fenced block of a page. */
export interface Block {
    readonly page: string;
    readonly line: number;
    readonly language: string;
    readonly text: string;
}

/** All files below a folder whose names end with this suffix, without installed and built files. */
export function filesBelow(folder: string, ending: string): string[] {
    return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) {
            // Other tests write to folders that begin with a dot.
            return /^(node_modules|dist|\.\w.*)$/.test(entry.name) ? [] : filesBelow(path, ending);
        }
        return entry.isFile() && path.endsWith(ending) ? [path] : [];
    });
}

/** Generated pages contain it. */
export const generatedMark = "<!-- Generated from the code";

/** The documentation pages. */
export const pages: readonly string[] = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "scripts/engine/README.md",
    ...filesBelow("docs", ".md"),
    ...filesBelow("examples", ".md"),
    ...filesBelow("sdk", ".md"),
];

export function read(path: string): string {
    return readFileSync(join(root, path), "utf8");
}

/** The fenced blocks of a page in these languages. */
export function blocksOf(page: string, languages: readonly string[]): Block[] {
    const blocks: Block[] = [];
    let open: { line: number; language: string; lines: string[] } | undefined;
    for (const [index, line] of read(page).split("\n").entries()) {
        const fence = /^\s*```(\w*)\s*$/.exec(line);
        if (open && fence) {
            blocks.push({ page, line: open.line, language: open.language, text: open.lines.join("\n") });
            open = undefined;
        } else if (open) {
            open.lines.push(line);
        } else if (fence) {
            open = { line: index + 2, language: fence[1] ?? "", lines: [] };
        }
    }
    return blocks.filter(({ language }) => languages.includes(language));
}

/** The lines of a page that are shell input, block by block. */
export const shellBlocksOf = (page: string): string[] => blocksOf(page, ["sh"]).map(({ text }) => text);

/** The lines of a page that are shell input. */
export const linesOf = (page: string): string => shellBlocksOf(page).join("\n");

/** The commands of one program on a page, without duplicates: those in code blocks, then those in sentences. */
export function commandsOf(page: string, program: string): string[] {
    const lines = blocksOf(page, ["sh"]).flatMap(({ text }) => text.split("\n").map(withoutComment));
    const inText = [...read(page).matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
    return [...new Set([...lines, ...inText])].filter((command) => command.startsWith(`${program} `));
}

const withoutComment = (line: string): string => line.replace(/\s+#.*$/, "").trim();
