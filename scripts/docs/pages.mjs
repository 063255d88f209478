/** What the generated pages have in common. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { exampleOf } from "../generate/examples.mjs";
import { read } from "../lib/files.mjs";
import { repositoryRoot } from "../lib/repository.mjs";

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
        return `<details>\n<summary>${language}</summary>\n\n${block}\n\n</details>`;
    });
    return [first.replace("typescript", "ts").replace("pulumi-clouddb/native", "pulumi-clouddb"), ...folded];
}

const languages = { python: "Python", go: "Go", yaml: "YAML" };

/** A member as an item of a list: its name, its type, its meaning and its default. */
export function definition({ name, type, optional, text, byDefault }) {
    const notes = [...(optional ? [] : ["required"]), ...(type ? [`\`${type}\``] : [])];
    const about = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
    return `- \`${name}\`${about}: ${text.replaceAll("\n\n", " ")}${byDefault ? ` Default: ${byDefault}.` : ""}`;
}

/** A table without the columns that are empty. */
export function table([titles, ...rows]) {
    const used = titles.flatMap((_, index) => (rows.some((row) => row[index] !== "") ? [index] : []));
    const lines = [titles, titles.map(() => "---"), ...rows].map((row) => used.map((index) => row[index]));
    return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
