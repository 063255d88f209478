import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { runInNewContext } from "node:vm";
import ts from "typescript";
import { parse } from "yaml";
import { filesBelow, read } from "../support/documents";

// Texts of the API and of users are not limited in length, and no deadline interrupts an expression. So the time of each
// expression must grow with the length of its worst text, and not with its square. Processor time is compared with
// processor time: a loaded machine changes both.

interface Expression {
    readonly place: string;
    readonly source: string;
    readonly flags: string;
}

/** The expressions of a file: literals, and constructions with a literal for each value that only a run knows. */
function expressionsIn(file: string): Expression[] {
    const found: Expression[] = [];
    const tree = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
    const add = (node: ts.Node, source: string, flags: string) => {
        const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
        found.push({ place: `${file}:${line + 1}`, source, flags });
    };
    const visit = (node: ts.Node): void => {
        if (ts.isRegularExpressionLiteral(node)) {
            const end = node.text.lastIndexOf("/");
            add(node, node.text.slice(1, end), node.text.slice(end + 1));
        } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === "RegExp") {
            const [pattern, flags] = node.arguments ?? [];
            add(node, patternOf(pattern), flags !== undefined && ts.isStringLiteral(flags) ? flags.text : "");
        }
        ts.forEachChild(node, visit);
    };
    visit(tree);
    return found;
}

/** The pattern of a construction: a template, or the texts that it joins. */
function patternOf(node: ts.Node | undefined): string {
    if (node !== undefined && ts.isTemplateExpression(node)) {
        return node.head.text + node.templateSpans.map(({ literal }) => `\\w+${literal.text}`).join("");
    }
    const texts: string[] = [];
    const visit = (one: ts.Node): void => {
        if (ts.isStringLiteralLike(one)) {
            texts.push(one.text);
        }
        ts.forEachChild(one, visit);
    };
    if (node !== undefined) {
        visit(node);
    }
    return texts.join("|");
}

/** Each `pattern` of the description of the API, which its validator compiles. */
function patternsIn(value: unknown, place: string): Expression[] {
    return typeof value !== "object" || value === null
        ? []
        : Object.entries(value).flatMap(([name, one]: [string, unknown]) =>
              name === "pattern" && typeof one === "string"
                  ? [{ place, source: one, flags: "u" }]
                  : patternsIn(one, `${place} ${name}`),
          );
}

/** A text that a part of an expression matches. */
function sampleOf(node: AST.Element | AST.Alternative | AST.Alternative[]): string {
    if (Array.isArray(node)) {
        return node[0] === undefined ? "" : sampleOf(node[0]);
    }
    switch (node.type) {
        case "Alternative":
            return node.elements.map(sampleOf).join("");
        case "Group":
        case "CapturingGroup":
            return sampleOf(node.alternatives);
        case "Quantifier":
            return sampleOf(node.element).repeat(Math.max(node.min, 1));
        case "Character":
            return String.fromCodePoint(node.value);
        case "CharacterClass":
        case "CharacterSet":
            return candidates.find((one) => new RegExp(`^${node.raw}$`, "u").test(one)) ?? "";
        default:
            return "";
    }
}

const candidates = ["a", "0", " ", ".", "/", "-", "A", "<", "#", "\n", '"', "$", ":", "\u0001", "\u2028", "\u00e9"];

/** Texts of a length with which an expression may need long: one repeats, after what leads there, and never matches. */
function worstTexts(source: string, flags: string): ((length: number) => string)[] {
    const pattern = new RegExpParser().parsePattern(source, undefined, undefined, { unicode: flags.includes("u") });
    const parts = new Set<string>();
    const leads = new Set<string>(["", "\u0000"]);
    const visit = (node: AST.Node, before: string): void => {
        if (node.type === "Alternative") {
            let lead = before;
            for (const element of node.elements) {
                visit(element, lead);
                lead += sampleOf(element);
                parts.add(lead);
            }
        } else if (node.type === "Quantifier") {
            leads.add(before);
            parts.add(sampleOf(node.element));
            visit(node.element, before);
        } else if ("alternatives" in node) {
            node.alternatives.forEach((one) => visit(one, before));
        } else if (node.type === "CharacterClass" || node.type === "Character" || node.type === "CharacterSet") {
            parts.add(sampleOf(node));
        }
    };
    visit(pattern, "");
    parts.delete("");
    return [...leads].flatMap((lead) =>
        [...parts].flatMap((part) =>
            ["\u0000", ""].map((end) => (length: number) => lead + part.repeat(length / part.length) + end),
        ),
    );
}

/** The least processor time of several runs, in microseconds. */
function timeOf(expression: RegExp, text: string, runs: number): number {
    const times = Array.from({ length: runs }, () => {
        const before = process.cpuUsage();
        text.replace(expression, "");
        const { user, system } = process.cpuUsage(before);
        return user + system;
    });
    return Math.min(...times);
}

/** A run of less than this, in microseconds, says nothing about growth: that of a square is longer. */
const enoughUs = 100;
const [shortest, short, long] = [40, 1_500, 6_000];
const maxPower = 1.5;

/** The begin of a text with which the time of an expression grows faster than it may. */
function slowText({ source, flags }: Expression): string | undefined {
    const texts = worstTexts(source, flags);
    // An expression whose time doubles with each character would not end.
    const sandbox = { texts: texts.map((text) => text(shortest)), expression: new RegExp(source, flags) };
    runInNewContext("texts.forEach((text) => text.replace(expression, ''))", sandbox, { timeout: 10_000 });
    const expression = new RegExp(source, flags);
    const slow = texts.find((text) => {
        const few = text(short);
        if (timeOf(expression, few, 1) < enoughUs || timeOf(expression, few, 4) < enoughUs) {
            return false;
        }
        return timeOf(expression, text(long), 3) > timeOf(expression, few, 3) * (long / short) ** maxPower;
    });
    return slow && JSON.stringify(slow(shortest));
}

const files = ["provider", "cli", "emulator", "sdk/nodejs", "plugin"].flatMap((folder) =>
    [".ts", ".tsx"].flatMap((ending) => filesBelow(folder, ending)),
);
const inFiles = files.flatMap(expressionsIn);
const description = "provider/api/openapi.yaml";
const inDescription = patternsIn(parse(read(description)), description);

test("the time of no expression grows with the square of the length of a text", () => {
    expect(inFiles.length).toBeGreaterThan(100);
    expect(inDescription.length).toBeGreaterThan(2);
    const slow = [...inFiles, ...inDescription].flatMap((one) => {
        const text = slowText(one);
        return text === undefined ? [] : [`${one.place} /${one.source}/${one.flags} with ${text}`];
    });
    expect(slow).toEqual([]);
});

test.each([
    ["the title of a page", "<title[^>]*>([^<]{1,200})"],
    ["spaces at the end", "\\s+$"],
    ["two parts that match the same", "^a*a*$"],
])("an expression whose time does is noticed: %s", (_, source) => {
    expect(slowText({ place: "", source, flags: "i" })).toBeDefined();
});
