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
 * Who calls each operation: by the client's method, or as a step of a plan.
 *
 * @param {import("./sources.mjs").Sources} sources
 * @param {string[]} ids
 * @returns {Map<string, Set<string>>}
 */
function usesOf(sources, ids) {
    /** @type {Map<string, Set<string>>} */
    const uses = new Map(ids.map((id) => [id, new Set()]));
    /** @param {ts.SourceFile} file @param {(node: ts.Node) => string | undefined} userOf */
    const scan = (file, userOf) => {
        /** @param {ts.Node} node */
        const visit = (node) => {
            const id = ts.isPropertyAccessExpression(node)
                ? node.name.text
                : ts.isStringLiteral(node)
                  ? node.text
                  : undefined;
            const found = id === undefined ? undefined : uses.get(id);
            const user = found && isUse(node) ? userOf(node) : undefined;
            if (user !== undefined) found?.add(user);
            ts.forEachChild(node, visit);
        };
        visit(file);
    };
    for (const file of sources.filesIn("provider/resources")) {
        const owner = OWNERS[/** @type {keyof typeof OWNERS} */ (basename(file.fileName))];
        if (owner !== undefined) scan(file, () => owner);
    }
    for (const file of sources.filesIn("sdk/lookups")) scan(file, functionAround);
    // What the look-up takes from the resource's source.
    uses.get("listServices")?.add("getServices");
    return uses;
}

/** A method of a client, or the operation of a step. @param {ts.Node} node */
function isUse(node) {
    if (ts.isPropertyAccessExpression(node)) return /\bclient$/.test(node.expression.getText());
    return true;
}

/** @param {ts.Node} node */
function functionAround(node) {
    let name;
    for (let at = node; !ts.isSourceFile(at); at = at.parent) if (ts.isFunctionDeclaration(at)) name = at.name?.text;
    return name === "readPage" ? "getServiceLogs" : name;
}
