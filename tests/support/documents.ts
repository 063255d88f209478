import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { dirname, join } from "node:path/posix";

export const root = resolve(__dirname, "..", "..");

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

export const pages: readonly string[] = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "scripts/engine/README.md",
    ...filesBelow("docs", ".md"),
    ...filesBelow("examples", ".md"),
    ...filesBelow("sdk", ".md"),
];

/** Without the changelog, which names commands of earlier versions. */
export const currentPages = pages.filter((page) => page !== "CHANGELOG.md");

/** The text of a file, or of a section of a page: `docs/emulator.md#postgresql`. */
export function read(path: string): string {
    const [file = "", anchor] = path.split("#");
    const text = readFileSync(join(root, file), "utf8");
    return anchor === undefined ? text : sectionOf(text, anchor);
}

interface Link {
    readonly page: string;
    readonly target: string;
}

/** The links between the pages among these files, and those that lead to no file, or to no heading of a page. */
export function linksIn(files: readonly string[], textOf: (file: string) => string): { links: Link[]; dead: Link[] } {
    const links = files
        .filter((file) => file.endsWith(".md"))
        .flatMap((page) => [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({ page, target })))
        .filter(({ target }) => !/^[a-z]+:/.test(target));
    const leads = ({ page, target }: Link) => {
        const [path = "", anchor] = target.split("#");
        const to = path === "" ? page : join(dirname(page), path);
        if (anchor === undefined || !to.endsWith(".md")) {
            return files.some((file) => file === to || file.startsWith(`${to}/`));
        }
        const headings = files.includes(to) ? textOf(to).matchAll(/^#+ (.*)$/gm) : [];
        return [...headings].some(([, title = ""]) => anchorOf(title) === anchor);
    };
    return { links, dead: links.filter((link) => !leads(link)) };
}

/** The cells of each row of the tables in a text, with headers. */
export const rowsIn = (text: string): string[][] =>
    [...text.matchAll(/^\| (.*) \|$/gm)].map(([, row = ""]) => row.split(" | ").map((cell) => cell.trim()));

/** The rows of the tables in a text, without line breaks, each with the cells of the rows below it that continue it. */
export const wholeRowsIn = (text: string): string[][] =>
    rowsIn(text.replaceAll("<br>", " ")).reduce<string[][]>((rows, row) => {
        const last = rows.at(-1);
        return row[0] === "" && last
            ? [...rows.slice(0, -1), last.map((cell, index) => `${cell} ${row[index] ?? ""}`.trim())]
            : [...rows, row];
    }, []);

export const anchorOf = (heading: string): string =>
    heading
        .toLowerCase()
        .trim()
        .replace(/[^\w\s-]/g, "")
        .replace(/\s/g, "-");

/** The cases of docs/protection.md: name, first line of the message, steps. */
export const refusedCases = rowsIn(read("docs/protection.md#if-a-run-is-refused")).slice(2);

/** The lines below a heading, with those of the headings below it. */
function sectionOf(text: string, anchor: string): string {
    const section: string[] = [];
    let level = 0;
    let isCode = false;
    for (const line of text.split("\n")) {
        const [, marks = "", title = ""] = (isCode ? null : /^(#+) (.*)$/.exec(line)) ?? [];
        if (level === 0 && anchorOf(title) === anchor) {
            level = marks.length;
        } else if (level > 0 && marks !== "" && marks.length <= level) {
            break;
        } else if (level > 0) {
            section.push(line);
        }
        isCode = /^\s*```/.test(line) ? !isCode : isCode;
    }
    if (level === 0) {
        throw new Error(`There is no heading with the anchor ${anchor}.`);
    }
    return section.join("\n");
}

/** The fenced blocks of a page in these languages. */
export function blocksOf(page: string, languages: readonly string[]): Block[] {
    const text = read(page);
    return [...text.matchAll(/^([ \t]*)```(\w*)[ \t]*\n(.*?)^[ \t]*```\w*[ \t]*$/gms)]
        .map(({ index, 1: indentation = "", 2: language = "", 3: lines = "" }) => ({
            page,
            line: text.slice(0, index).split("\n").length + 1,
            language,
            // A block in a list is indented.
            text: lines.replace(/\n$/, "").replace(new RegExp(`^${indentation}`, "gm"), ""),
        }))
        .filter(({ language }) => languages.includes(language));
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
