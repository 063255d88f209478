/** Generates the table of all operations of the API and of the resources and functions that use them. */
import { basename, dirname } from "node:path";
import { banner, table } from "./sources.mjs";

const folder = "provider/resources";

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

/** The files of a resource: the one that declares its inputs, or the folder of that file. The other files are shared. */
function filesOf(sources, type) {
    const path = sources.fileThatExports(folder, `${type}Inputs`);
    return dirname(path) === folder ? [sources.file(path)] : sources.filesIn(dirname(path));
}

/** The operations that each resource and each function uses. */
function usesOf(sources, operationIds) {
    const textOf = (file) => file.getFullText().replace(/\/\*[^]*?\*\/|\/\/.*/g, "");
    const resources = Object.keys(sources.lifecycles).flatMap((user) =>
        filesOf(sources, user).map((file) => ({ user, text: textOf(file), name: basename(file.fileName, ".ts") })),
    );
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
