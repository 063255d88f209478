/** What the page about the emulator takes from its code. */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "../lib/repository.mjs";
import { table } from "./sources.mjs";

const FAULTS = "emulator/faults/fault.ts";

/** Values of the fields that an effect needs. */
const EXAMPLES = [
    { kind: "answer", status: 503 },
    { kind: "reset", when: "before" },
    { kind: "reset", when: "after" },
    { kind: "reset", when: "middle" },
    { kind: "status", status: "UNSTABLE" },
    ...["delay", "stale", "hidden", "stuck"].map((kind) => ({ kind, ms: 500 })),
];

/**
 * @param {import("./sources.mjs").Sources} sources
 * @returns {Record<string, string>} text by the name of its place
 */
export function emulatorParts(sources) {
    const { defaultDurations } = createRequire(join(ROOT, "package.json"))("./dist/emulator/durations.js");
    const help = execFileSync(process.execPath, [join(ROOT, "dist", "emulator", "cli.js"), "--help"], {
        encoding: "utf8",
        // The defaults in the text come from the environment, and this one is nobody's.
        env: {},
    });
    const routes = routesOf(sources);
    return {
        help: `\`\`\`text\n${help.trim()}\n\`\`\``,
        options: table([
            ["option", "type", "meaning"],
            ...sources
                .members("emulator/options.ts", "EmulatorOptions")
                .map(({ name, type, text }) => [`\`${name}\``, `\`${type}\``, text]),
        ]),
        durations: table([
            ["duration", "default", "meaning"],
            ...sources
                .members("emulator/durations.ts", "Durations")
                .map(({ name, text }) => [`\`${name}\``, String(defaultDurations[name]), text]),
        ]),
        fault: table([
            ["property", "type", "meaning"],
            ...sources
                .members(FAULTS, "Fault")
                .map(({ name, type, optional, text }) => [
                    `\`${name}\`${optional ? "" : " (required)"}`,
                    `\`${type}\``,
                    text,
                ]),
        ]),
        effects: table([
            ["effect", "in short", "fields", "what happens"],
            ...sources
                .members(FAULTS, "EffectKinds")
                .map(({ name, text }) => [`\`${name}\``, inShort(name), effectFields(sources, name), text]),
        ]),
        controls: table([
            ["control", "over HTTP", "its JSON body", "meaning"],
            ...sources.members("emulator/controls.ts", "Controls").map(({ name, text }) => {
                const { on = "", body } = routes.get(name) ?? {};
                return [`\`${name}\``, `\`${on}\``, body === undefined ? "" : `\`${body}\``, text];
            }),
        ]),
    };
}

/** An effect as the command line takes it. @param {string} kind */
function inShort(kind) {
    const { formatEffect } = createRequire(join(ROOT, "package.json"))("./dist/emulator/faults/text.js");
    const examples = EXAMPLES.filter((one) => one.kind === kind);
    return (examples.length === 0 ? [{ kind }] : examples).map((one) => `\`${formatEffect(one)}\``).join(", ");
}

/** @param {import("./sources.mjs").Sources} sources @param {string} kind */
function effectFields(sources, kind) {
    return sources
        .membersOf(FAULTS, "EffectKinds", kind)
        .map(
            ({ name, type, optional, text }) =>
                `\`${name}${optional ? "?" : ""}: ${type}\`: ${text.charAt(0).toLowerCase()}${text.slice(1)}`,
        )
        .join(" ");
}

/**
 * How each control is reached, and what it takes.
 *
 * @param {import("./sources.mjs").Sources} sources
 */
function routesOf(sources) {
    /** @type {Map<string, { on: string, body: string | undefined }>} */
    const routes = new Map();
    for (const property of propertiesOf(variable(sources.file("emulator/controlRoutes.ts"), "routes"))) {
        const parts = new Map(
            propertiesOf(property.initializer).map((part) => [part.name.getText(), part.initializer]),
        );
        const [on, run] = [parts.get("on"), parts.get("run")];
        if (!on || !ts.isStringLiteral(on) || !run) throw new Error(`${property.getText()} is no route.`);
        routes.set(property.name.getText(), { on: on.text, body: bodyOf(sources, run) });
    }
    return routes;
}

/**
 * The JSON that a node takes from `body`: by a function that `fields` has made, directly or within another function, or as
 * a type that is written there.
 *
 * @param {import("./sources.mjs").Sources} sources
 * @param {ts.Node} node
 * @returns {string | undefined}
 */
function bodyOf(sources, node) {
    const takes = (/** @type {ts.Node} */ call) =>
        ts.isCallExpression(call) && call.arguments.some((argument) => argument.getText() === "body");
    if (ts.isAsExpression(node) && takes(node.expression)) return node.type.getText().replace(/;? }$/, " }");
    if (ts.isCallExpression(node) && takes(node)) {
        const taker = sources.declaredBy(node.expression);
        if (taker && ts.isVariableDeclaration(taker) && taker.initializer) return fieldsIn(taker.initializer);
        const body = taker && ts.isFunctionDeclaration(taker) && taker.body;
        if (body) return bodyOf(sources, body);
    }
    return ts.forEachChild(node, (child) => bodyOf(sources, child));
}

/** How the kinds of fields are written, where that is not their name. */
const KINDS = /** @type {Record<string, string>} */ ({
    size: '{ cpuMillis: number, memoryGbs: number } or "shared"',
});

/** What `fields(kinds, required)` takes, as a type. @param {ts.Expression} call */
function fieldsIn(call) {
    if (!ts.isCallExpression(call) || call.expression.getText() !== "fields") return undefined;
    const [kinds, required] = call.arguments;
    const needed = required && ts.isArrayLiteralExpression(required) ? required.elements : [];
    const names = needed.map((name) => (ts.isStringLiteral(name) ? name.text : ""));
    const fields = propertiesOf(kinds).map(({ name, initializer }) => {
        const kind = ts.isStringLiteral(initializer) ? initializer.text : "";
        return `${name.getText()}${names.includes(name.getText()) ? "" : "?"}: ${KINDS[kind] ?? kind}`;
    });
    return `{ ${fields.join(", ")} }`;
}

/** @param {ts.SourceFile} file @param {string} name - of one of its variables */
function variable(file, name) {
    for (const statement of file.statements) {
        const declarations = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [];
        const found = declarations.find((declaration) => declaration.name.getText() === name);
        if (found) return found.initializer;
    }
    throw new Error(`${file.fileName} has no ${name}.`);
}

/** @param {ts.Expression | undefined} value */
const propertiesOf = (value) =>
    value && ts.isObjectLiteralExpression(value) ? value.properties.filter(ts.isPropertyAssignment) : [];
