/** Generates docs/troubleshooting.md from the messages in the sources and the catalogue parts/troubleshooting.md. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { repositoryRoot, ScriptError } from "../lib/repository.mjs";
import { banner } from "./sources.mjs";

const cataloguePath = "scripts/docs/parts/troubleshooting.md";

/** Each message in these folders needs an entry. Entries can also describe messages of the other folders. */
const completeFolders = ["provider", "sdk", "cli"];
const otherFolders = ["emulator", "engine", "scripts"];

/** A text with fewer words is no message, except as an argument of these functions. */
const minWords = 4;
const reportingNames = /^(\w*Error|PartialFailure|super|warn|failed|stderr)$/;

/** Arguments of these functions, these properties, and the texts of plan steps are never messages. */
const silentNames = /^(pending|about|status|pattern|key|kind)$/;
const planNames = /^(call|observed)$/;

export function troubleshootingPage() {
    const read = (folders) =>
        folders.flatMap((folder) =>
            readdirSync(join(repositoryRoot, folder), { recursive: true })
                .filter((file) => /(?<!\.gen|\.d)\.(ts|mjs)$/.test(file) && !file.includes("node_modules"))
                .sort()
                .flatMap((file) =>
                    messagesIn(`${folder}/${file}`, readFileSync(join(repositoryRoot, folder, file), "utf8")),
                ),
        );
    return pageOf(readFileSync(join(repositoryRoot, cataloguePath), "utf8"), read(completeFolders), read(otherFolders));
}

/** Fills the messages into the catalogue. Fails for a message without an entry, and for an entry without a message. */
export function pageOf(catalogue, messages, others = []) {
    const [page, ignored = ""] = catalogue.split("<!-- No messages:");
    const known = new Set();
    const problems = [];
    const find = (part, matches) => {
        const required = messages.filter(({ text }) => matches(text));
        const found = required.length > 0 ? required : others.filter(({ text }) => matches(text));
        if (found.length === 0) {
            problems.push(`The code has no message for this entry: ${part}`);
        }
        for (const message of required) {
            if (known.has(message)) {
                problems.push(`${message.at} has several entries: ${message.text}`);
            }
            known.add(message);
        }
        return [...new Set(found.map(({ text }) => text))];
    };
    const filled = page.replace(/^- \*\*.+\*\*$/gm, (line) => {
        const parts = [...line.matchAll(/\*\*(.+?)\*\*/g)].map(([, part]) => part);
        const texts = parts.flatMap((part) =>
            find(part, (text) => text.includes(part)).map((text) => text.replace(part, () => `**${part}**`)),
        );
        return `- ${texts.join("\\\n  ").replaceAll("<", "\\<")}`;
    });
    for (const [, start] of ignored.matchAll(/^- (.+)$/gm)) {
        find(start, (text) => text.startsWith(start));
    }
    const missing = messages.filter((message) => !known.has(message));
    problems.push(...missing.map(({ at, text }) => `${at} has no entry: ${text}`));
    if (problems.length > 0) {
        throw new ScriptError(`${cataloguePath} does not match the code.\n${problems.join("\n")}`);
    }
    return filled.replace("\n", `\n\n${banner}`);
}

/** The messages in a source: variable parts are shown as …, optional parts in brackets. */
export function messagesIn(file, source) {
    const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
    const found = [];
    /** The values of constants that are parts of messages. */
    const parts = new Set();
    const visit = (node, isReported) => {
        if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node) || isSilent(node)) {
            return;
        }
        const text = textOf(node, parts);
        if (text === undefined) {
            const passes = isReported && (ts.isConditionalExpression(node) || ts.isParenthesizedExpression(node));
            const reports = passes || reportingNames.test(calleeOf(node) ?? "");
            ts.forEachChild(node, (child) => visit(child, reports));
        } else if (wordsIn(text) >= minWords || (isReported && / /.test(text) && wordsIn(text) > 0)) {
            const { line } = root.getLineAndCharacterOfPosition(node.getStart());
            found.push({
                node,
                at: `${file}:${line + 1}`,
                text: text
                    .replace(/\s+/g, " ")
                    .replace(/…([ "]*…)+/g, "…")
                    .trim(),
            });
        }
    };
    visit(root, false);
    const isPart = (node) => [...parts].some(({ pos, end }) => node.pos >= pos && node.end <= end);
    return found.filter(({ node }) => !isPart(node)).map(({ at, text }) => ({ at, text }));
}

const wordsIn = (text) => text.match(/(?<![\w-])[A-Za-z]+(?![\w-])/g)?.length ?? 0;

const calleeOf = (node) =>
    ts.isCallExpression(node) || ts.isNewExpression(node) ? /\w+$/.exec(node.expression.getText())?.[0] : undefined;

function isSilent(node) {
    if (!ts.isPropertyAssignment(node)) {
        return silentNames.test(calleeOf(node) ?? "");
    }
    const isPlan = node.parent.properties.some(({ name }) => planNames.test(name?.getText() ?? ""));
    return silentNames.test(node.name.getText()) || (isPlan && node.name.getText() === "text");
}

/** The text of a literal, a template, a concatenation or a list of lines; undefined for other nodes. */
function textOf(node, parts) {
    const partOf = (one) => textOf(one, parts) ?? variable(one, parts);
    if (ts.isStringLiteralLike(node)) {
        return node.text;
    }
    if (ts.isParenthesizedExpression(node)) {
        return textOf(node.expression, parts);
    }
    if (ts.isTemplateExpression(node)) {
        return node.head.text + node.templateSpans.map((span) => partOf(span.expression) + span.literal.text).join("");
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
        const isText = [node.left, node.right].some((side) => textOf(side, parts) !== undefined);
        return isText ? partOf(node.left) + partOf(node.right) : undefined;
    }
    const lines = calleeOf(node) === "join" ? node.expression.expression?.elements : undefined;
    return lines?.map(partOf).join("\n");
}

/** A part that is not constant. */
function variable(node, parts) {
    if (ts.isIdentifier(node)) {
        const value = constantOf(node);
        if (value) {
            parts.add(value);
        }
        return value ? (textOf(value, parts) ?? variable(value, parts)) : "…";
    }
    if (ts.isParenthesizedExpression(node)) {
        return variable(node.expression, parts);
    }
    if (!ts.isConditionalExpression(node)) {
        return "…";
    }
    const [whenTrue = "", whenFalse = ""] = [node.whenTrue, node.whenFalse].map((one) => textOf(one, parts));
    const text = whenTrue || whenFalse;
    const isOptional = (whenTrue === "") !== (whenFalse === "") && wordsIn(text) > 2;
    return isOptional ? text.replace(/^(\s*)(.*?)(\s*)$/s, "$1[$2]$3") : "…";
}

/** The value of a constant in the same file that is a text, or a choice of texts. */
function constantOf(identifier) {
    for (let scope = identifier.parent; scope; scope = scope.parent) {
        if (scope.parameters?.some(({ name }) => name.getText() === identifier.text)) {
            return undefined;
        }
        const declarations = (scope.statements ?? [])
            .filter(ts.isVariableStatement)
            .flatMap(({ declarationList }) => [...declarationList.declarations]);
        const value = declarations.find(({ name }) => name.getText() === identifier.text)?.initializer;
        if (value) {
            return textOf(value, new Set()) !== undefined || ts.isConditionalExpression(value) ? value : undefined;
        }
    }
    return undefined;
}
