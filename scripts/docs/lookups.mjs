/** Generates the page of the functions. */
import { banner, cellsOf, part, table } from "./sources.mjs";

const folder = "sdk/nodejs/lookups";
const files = ["identity", "vpcs", "services", "logs"].map((name) => `${folder}/${name}.ts`);
const resultTypes = [
    ...["GetAuthInfoResult", "User", "GetProjectResult", "GetVpcResult", "GetPeeringResult"],
    ...["GetServiceResult", "GetReadReplicaSetResult", "LogEntry"],
];

export function lookupsPage(sources) {
    const sections = files.flatMap((path) =>
        sources
            .namesIn(path)
            .filter((name) => /^get/.test(name) && !name.endsWith("Output"))
            .map((name) => section(sources, path, name)),
    );
    const results = resultTypes.map((name) => resultSection(sources, name));
    const all = [...sections, "## Results", "A property is `undefined` if the API does not return it.", ...results];
    return `# Functions\n\n${banner}\n${part("lookups")}\n\n${all.join("\n\n")}\n`;
}

function section(sources, path, name) {
    const args = `G${name.slice(1)}Args`;
    const rows = sources.namesIn(path).includes(args) ? sources.members(path, args).map(cellsOf) : [];
    const signature = sources.signature(path, name);
    const result = resultTypes.find((one) => new RegExp(`<${one}\\b`).test(signature));
    if (result === undefined) {
        throw new Error(`The result of ${name} is not described: ${signature}`);
    }
    return [
        `## ${name}`,
        `${sources.textOf(sources.exported(path, name))} See [${result}](#${result.toLowerCase()}).`,
        `\`\`\`text\n${name}${signature}\n${name}Output${sources.signature(path, `${name}Output`)}\n\`\`\``,
        ...(rows.length > 0 ? [table([["argument", "type", "meaning"], ...rows])] : []),
    ].join("\n\n");
}

function resultSection(sources, type) {
    /** The members of an inline type are rows `outer.inner`. */
    const rowsOf = (members, before = "") =>
        members.flatMap(({ name, type: is, isInline, optional, text, members: inner }) => {
            if (text === "") {
                throw new Error(`${type}.${name} has no comment.`);
            }
            const value = isInline ? "object" : is.replaceAll("readonly ", "");
            const row = [`\`${before}${name}\``, `\`${value}${optional ? " | undefined" : ""}\``, text];
            return [row, ...(isInline ? rowsOf(inner(), `${before}${name}.`) : [])];
        });
    const about = sources.textOf(sources.exported(folder, type));
    const rows = rowsOf(sources.members(folder, type));
    return [`### ${type}`, about, table([["property", "type", "meaning"], ...rows])].join("\n\n");
}
