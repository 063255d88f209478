/** Generates the page of the functions. */
import { banner, part, table } from "./sources.mjs";

const files = ["identity", "vpcs", "services", "logs"].map((name) => `sdk/nodejs/lookups/${name}.ts`);

/** The result types of the functions, and the files that declare them. */
const resultFiles = {
    GetAuthInfoResult: "sdk/nodejs/lookups/identity.ts",
    User: "sdk/nodejs/lookups/identity.ts",
    GetProjectResult: "sdk/nodejs/lookups/identity.ts",
    GetVpcResult: "sdk/nodejs/lookups/vpcs.ts",
    GetPeeringResult: "sdk/nodejs/lookups/vpcs.ts",
    GetServiceResult: "sdk/nodejs/lookups/services.ts",
    GetReadReplicaSetResult: "sdk/nodejs/lookups/services.ts",
    LogEntry: "sdk/nodejs/lookups/logs.ts",
};

export function lookupsPage(sources) {
    const sections = files.flatMap((path) =>
        sources
            .namesIn(path)
            .filter((name) => /^get/.test(name) && !name.endsWith("Output"))
            .map((name) => section(sources, path, name)),
    );
    const results = Object.entries(resultFiles).map(([name, path]) => resultSection(sources, path, name));
    const all = [...sections, "## Results", "A property is `undefined` if the API does not return it.", ...results];
    return `# Functions\n\n${banner}\n${part("lookups")}\n\n${all.join("\n\n")}\n`;
}

function section(sources, path, name) {
    const args = `G${name.slice(1)}Args`;
    const rows = sources.namesIn(path).includes(args)
        ? sources
              .members(path, args)
              .map(({ name: argument, type, optional, text, byDefault }) => [
                  `\`${argument}\`${optional ? "" : " (required)"}`,
                  `\`${type}\``,
                  `${text}${byDefault ? ` Default: ${byDefault}.` : ""}`,
              ])
        : [];
    const signature = sources.signature(path, name);
    const result = Object.keys(resultFiles).find((one) => new RegExp(`<${one}\\b`).test(signature));
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

function resultSection(sources, path, name) {
    const rows = sources.deepMembers(path, name).map(({ name: property, type, optional, text }) => {
        if (text === "") {
            throw new Error(`${name}.${property} has no comment.`);
        }
        const value = type.replaceAll("readonly ", "");
        return [`\`${property}\``, `\`${value}${optional ? " | undefined" : ""}\``, text];
    });
    const about = sources.textOf(sources.exported(path, name));
    return [`### ${name}`, about, table([["property", "type", "meaning"], ...rows])].join("\n\n");
}
