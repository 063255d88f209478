/** What the generated pages have in common. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { exampleOf } from "../generate/examples.mjs";
import { read } from "../lib/files.mjs";
import { repositoryRoot, ScriptError } from "../lib/repository.mjs";

/** A page of these parts, some of which may be empty. */
export const pageOf = (title, ...parts) =>
    [`# ${title}`, "<!-- Generated from the code by `npm run docs`. Do not edit. -->", ...parts].join("\n\n");

/** Replaces the text between `<!-- NAME:begin -->` and `<!-- NAME:end -->` of a hand-written page. */
export function fillIn(page, parts) {
    return Object.entries(parts).reduce((text, [name, part]) => {
        const place = new RegExp(`(?<=<!-- ${name}:begin -->)[^]*(?=<!-- ${name}:end -->)`);
        if (!place.test(text)) {
            throw new Error(`The page has no comments ${name}:begin and ${name}:end.`);
        }
        return text.replace(place, () => `\n\n${part}\n\n`);
    }, page);
}

/** A section of the hand-written part of a page, which a page need not have. The text before the first comment is the start. */
export function part(page, section = "start") {
    const file = `scripts/docs/parts/${page}.md`;
    const text = existsSync(join(repositoryRoot, file)) ? read(file) : "";
    const [start, states = "", notes = ""] = text.split(/<!-- (?:states|notes) -->/);
    return { start, states, notes }[section].trim();
}

/** The example of a resource in each language. Only the one in TypeScript is unfolded. */
export function examplesOf(name) {
    const [first, ...others] = exampleOf(name).match(/^```\w+\n.*?^```$/gms);
    const folded = others.map((block) => {
        const language = languages[/\w+/.exec(block)[0]];
        return `<details><summary>${language}</summary>\n\n${block}\n\n</details>`;
    });
    return [first.replace("typescript", "ts").replace("pulumi-clouddb/native", "pulumi-clouddb"), ...folded];
}

const languages = { python: "Python", go: "Go", yaml: "YAML", java: "Java" };

/** A member as an item of a list: its name, its type, its meaning and its default. */
export function definition({ name, type, optional, text, byDefault }) {
    const notes = [...(optional ? [] : ["required"]), ...(type ? [`\`${type}\``] : [])];
    const about = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
    return `- \`${name}\`${about}: ${text.replaceAll("\n\n", " ")}${byDefault ? ` Default: ${byDefault}.` : ""}`;
}

/** A table without the columns that are empty, with line breaks in long cells: a page shows no wider one. Aligned, its rows would be long. */
export function table([titles, ...rows]) {
    const used = titles.flatMap((_, index) => (rows.some((row) => row[index] !== "") ? [index] : []));
    const cells = [titles, ...rows].map((row) => used.map((index) => row[index].match(word) ?? []));
    const limits = limitsOf(cells);
    const [head, ...body] = cells.map((row) => row.map((words, index) => wrapped(words, limits[index]).join("<br>")));
    const lines = [head, head.map(() => "---"), ...body].map((row) => `| ${row.join(" | ")} |`);
    return ["<!-- prettier-ignore -->", ...lines].join("\n");
}

/** Text in which no line may break. */
const word = /(?:\*\*[^*]+\*\*|`[^`]*`|\[[^\]]*\]\([^)]*\)|[^\s*`])+/g;

const widest = 114;
const separator = 3;
const widthOf = (text) => text.replace(/\*\*|`|\]\([^)]*\)|\[/g, "").length;
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

/** The widths of the columns. The widest that can be narrower is, until all of them fit. */
function limitsOf(cells) {
    const columns = cells[0].map((_, index) => cells.map((row) => row[index]));
    const limits = columns.map((column) => Math.max(...column.map((words) => widthOf(words.join(" ")))));
    const narrowest = columns.map((column) => Math.max(...column.flat().map(widthOf)));
    const room = widest - separator * (columns.length - 1);
    while (sum(limits) > room) {
        const wider = limits.map((limit, index) => (limit > narrowest[index] ? limit : 0));
        const next = Math.max(...wider);
        if (next === 0) {
            throw new ScriptError(`A table is wider than a page: ${cells[0].flat().join(", ")}. Shorten a cell.`);
        }
        limits[wider.indexOf(next)] -= 1;
    }
    return limits;
}

function wrapped(words, limit) {
    const lines = [];
    for (const next of words) {
        const line = [lines.at(-1), next].filter(Boolean).join(" ");
        const fits = lines.length > 0 && widthOf(line) <= limit;
        lines.splice(fits ? -1 : lines.length, fits ? 1 : 0, fits ? line : next);
    }
    return lines;
}
