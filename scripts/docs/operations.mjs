/** The table of all operations of the API, and what in this package uses each. */
import { basename } from "node:path";
import ts from "typescript";
import { BANNER, table } from "./sources.mjs";

/** Files that belong to a resource, and its name; the rest of the folder is shared. */
const OWNERS = {
    "vpc.ts": "Vpc",
    "peering.ts": "Peering",
    "peeringActivation.ts": "PeeringActivation",
    "readReplicaSet.ts": "ReadReplicaSet",
    "inputs.ts": "Service",
    "observed.ts": "Service",
    "plan.ts": "Service",
    "service.ts": "Service",
};

/** @param {import("./sources.mjs").Sources} sources */
export function operationsPage(sources) {
    const { operations } = sources.contract;
    const uses = usesOf(sources, Object.keys(operations));
    const rows = Object.entries(operations).map(([id, { method, path, summary }]) => [
        `\`${id}\``,
        `\`${method} ${path}\``,
        summary,
        [...(uses.get(id) ?? [])]
            .sort()
            .map((use) => `\`${use}\``)
            .join(", ") || "the client",
    ]);
    const text =
        `All ${rows.length} operations of the management API, as [openapi.yaml](../provider/api/openapi.yaml) describes them, ` +
        "and the resources and look-ups that use them. The client has a method for each, and the emulator answers each.";
    return `# Operations\n\n${BANNER}\n${text}\n\n${table([["operation", "request", "what it does", "used by"], ...rows])}\n`;
}

/**
 * Who calls each operation: by the client's method, as a step of a plan, or by the source of what is waited for.
 *
 * @param {import("./sources.mjs").Sources} sources
 * @param {string[]} ids
 * @returns {Map<string, Set<string>>}
 */
function usesOf(sources, ids) {
    /** @type {Map<string, Set<string>>} */
    const uses = new Map(ids.map((id) => [id, new Set()]));
    /** @param {ts.Node} node @param {(node: ts.Node) => string | undefined} userOf */
    const scan = (node, userOf) => {
        for (const id of calledBy(sources, node)) {
            const user = userOf(node);
            if (user !== undefined) uses.get(id)?.add(user);
        }
        const source = sourceNamedBy(sources, node);
        if (source) scan(source, () => userOf(node));
        ts.forEachChild(node, (child) => scan(child, userOf));
    };
    for (const file of sources.filesIn("provider/resources")) {
        const owner = OWNERS[/** @type {keyof typeof OWNERS} */ (basename(file.fileName))];
        if (owner !== undefined) scan(file, () => owner);
    }
    for (const file of sources.filesIn("sdk/lookups")) scan(file, functionAround);
    return uses;
}

/**
 * The operations that a node itself calls: `client.createVpc`, `client.call("createVpc", …)`, or the step `call: { operation: "createVpc" }`.
 * The same words as a label of something else are no call.
 *
 * @param {import("./sources.mjs").Sources} sources
 * @param {ts.Node} node
 * @returns {string[]}
 */
function calledBy(sources, node) {
    if (ts.isPropertyAccessExpression(node)) return isClient(node.expression) ? [node.name.text] : [];
    if (ts.isCallExpression(node)) {
        const { expression } = node;
        const byName = ts.isPropertyAccessExpression(expression) && expression.name.text === "call";
        return byName && isClient(expression.expression) ? literalsIn(node.arguments[0]) : [];
    }
    if (!ts.isPropertyAssignment(node) || node.name.getText() !== "call") return [];
    if (!ts.isObjectLiteralExpression(node.initializer)) return [];
    const operation = node.initializer.properties.find(({ name }) => name?.getText() === "operation");
    if (operation && ts.isShorthandPropertyAssignment(operation)) return literalsIn(sources.declaredBy(operation));
    return literalsIn(operation);
}

/** @param {ts.Expression} expression */
const isClient = (expression) => /\bclient$/.test(expression.getText());

/** @param {ts.Node | undefined} node @returns {string[]} */
function literalsIn(node) {
    if (!node) return [];
    if (ts.isStringLiteral(node)) return [node.text];
    /** @type {string[]} */
    const found = [];
    ts.forEachChild(node, (child) => void found.push(...literalsIn(child)));
    return found;
}

/**
 * What a node takes from elsewhere to look at something: the source of another resource, or a function that makes one.
 * Where only one of its members is called, that one.
 *
 * @param {import("./sources.mjs").Sources} sources
 * @param {ts.Node} node
 * @returns {ts.Node | undefined}
 */
function sourceNamedBy(sources, node) {
    const source = declaredSource(sources, node);
    const member = source && memberCalled(node);
    return member === undefined ? source : propertyIn(source, member);
}

/** @param {import("./sources.mjs").Sources} sources @param {ts.Node} node @returns {ts.Node | undefined} */
function declaredSource(sources, node) {
    if (ts.isIdentifier(node) && /^sourceOf/.test(node.text) && !ts.isFunctionDeclaration(node.parent)) {
        return ts.isImportSpecifier(node.parent) ? undefined : sources.declaredBy(node);
    }
    if (!ts.isPropertyAccessExpression(node) || node.name.text !== "source") return undefined;
    const owner = ts.isIdentifier(node.expression) ? sources.declaredBy(node.expression) : undefined;
    const source = owner && ts.isVariableDeclaration(owner) ? propertyIn(owner, "source") : undefined;
    // Where that is a function which stands elsewhere, the function.
    return source && ts.isPropertyAssignment(source) && ts.isIdentifier(source.initializer)
        ? sources.declaredBy(source.initializer)
        : source;
}

/** `list` of `sourceOf(…).list()`. @param {ts.Node} node */
function memberCalled(node) {
    const { parent: call } = node;
    if (!ts.isCallExpression(call) || call.expression !== node) return undefined;
    return ts.isPropertyAccessExpression(call.parent) ? call.parent.name.text : undefined;
}

/** The first property of that name within a node. @param {ts.Node | undefined} node @param {string} name @returns {ts.Node | undefined} */
function propertyIn(node, name) {
    return (
        node &&
        ts.forEachChild(node, (child) =>
            ts.isPropertyAssignment(child) && child.name.getText() === name ? child : propertyIn(child, name),
        )
    );
}

/** @param {ts.Node} node */
function functionAround(node) {
    let name;
    for (let at = node; !ts.isSourceFile(at); at = at.parent) if (ts.isFunctionDeclaration(at)) name = at.name?.text;
    return name === "readPage" ? "getServiceLogs" : name;
}
