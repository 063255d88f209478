/** Generates the table of all operations of the API and of the resources and functions that use them. */
import { basename } from "node:path";
import { banner, table } from "./sources.mjs";

/** The resource that each file belongs to. All other files of the folder are shared. */
const owners = {
    "vpc.ts": "Vpc",
    "peering.ts": "Peering",
    "peeringActivation.ts": "PeeringActivation",
    "readReplicaSet.ts": "ReadReplicaSet",
    "inputs.ts": "Service",
    "observed.ts": "Service",
    "plan.ts": "Service",
    "service.ts": "Service",
};

export function operationsPage(sources) {
    const { operations } = sources.contract;
    const uses = usesOf(sources, Object.keys(operations));
    const rows = Object.entries(operations).map(([id, { method, path, summary }]) => {
        const users = [...new Set(uses.filter(({ ids }) => ids.includes(id)).map(({ user }) => user))].sort();
        const used = users.map((user) => `\`${user}\``).join(", ") || "the client";
        return [`\`${id}\``, `\`${method} ${path}\``, summary, used];
    });
    const text =
        `This table lists all ${rows.length} operations of the management API in [openapi.yaml](../provider/api/openapi.yaml), ` +
        "and the resources and functions that use them. The client has a method for each operation, and the emulator implements each.";
    return `# Operations\n\n${banner}\n${text}\n\n${table([["operation", "request", "description", "used by"], ...rows])}\n`;
}

/** The operations that each resource and each function uses. */
function usesOf(sources, operationIds) {
    const textOf = (file) => file.getFullText().replace(/\/\*[^]*?\*\/|\/\/.*/g, "");
    const resources = sources
        .filesIn("provider/resources")
        .map((file) => ({
            user: owners[basename(file.fileName)],
            text: textOf(file),
            name: basename(file.fileName, ".ts"),
        }))
        .filter(({ user }) => user !== undefined);
    const lookups = sources.filesIn("sdk/nodejs/lookups").flatMap((file) =>
        [...textOf(file).matchAll(/function\*? (\w+)([^]*?)\n}\n/g)].map(([, name, text]) => ({
            user: name === "readPage" ? "getServiceLogs" : name,
            text,
        })),
    );
    /** The text of a function `sourceOf…`, or of the property `source` of a resource. */
    const definitionOf = (source) => {
        const [owner] = source.split(".source");
        const pattern = source.startsWith("sourceOf")
            ? new RegExp(`function ${source}\\([^]*?\\n}`)
            : /^ {4}source[:(][^]*?(?=^ {4}\w)/m;
        const texts = resources
            .filter(({ name }) => source.startsWith("sourceOf") || name === owner)
            .map(({ text }) => text);
        return texts.map((text) => pattern.exec(text)?.[0]).find(Boolean) ?? "";
    };
    /** Operations that are called as `client.ID`, named in a step, or called by a source that the text uses. */
    const idsIn = (text) => [
        ...operationIds.filter((id) => new RegExp(`client\\.${id}\\b|"${id}"`).test(text)),
        ...[...text.matchAll(/(?<!function )\b(sourceOf\w+|\w+\.source)\b(?:\([^;]*?\)\.(list|get)\b)?/g)].flatMap(
            ([, source, member = ""]) => idsIn(definitionOf(source)).filter((id) => id.startsWith(member)),
        ),
    ];
    return [...resources, ...lookups].map(({ user, text }) => ({ user, ids: idsIn(text) }));
}
