/** The page of the look-ups. */
import { BANNER, table } from "./sources.mjs";

const FILES = ["identity", "vpcs", "services", "logs"].map((name) => `sdk/lookups/${name}.ts`);

/** What look-ups answer, and where that is declared. */
const RESULTS = {
    GetAuthInfoResult: "sdk/lookups/identity.ts",
    User: "sdk/lookups/identity.ts",
    GetProjectResult: "sdk/lookups/identity.ts",
    GetVpcResult: "sdk/lookups/vpcs.ts",
    GetPeeringResult: "sdk/lookups/vpcs.ts",
    GetServiceResult: "sdk/lookups/services.ts",
    GetReadReplicaSetResult: "sdk/lookups/services.ts",
    LogEntry: "sdk/lookups/logs.ts",
};

const INTRODUCTION = `A look-up asks the service about what is there, whoever made it. Each comes in two forms: the plain one answers a promise (the log an asynchronous iterator), the one that ends in \`Output\` takes inputs and answers an output.

\`\`\`ts
import * as clouddb from "pulumi-clouddb";

// By name.
const orders = clouddb.getServices().then((all) => all.find(({ name }) => name === "orders"));
export const size = orders.then((service) => service?.cpuMillis);

// Of something that the same program makes.
const reports = new clouddb.Service("reports", { cpuMillis: 500, memoryGbs: 2 });
export const errors = clouddb.getServiceLogsOutput({ serviceId: reports.serviceId, severities: ["ERROR", "FATAL"], limit: 20 });

// A log, as far as it is wanted: no page is asked for that is not read.
export async function firstDeadlock(serviceId: string): Promise<string | undefined> {
    for await (const { timestamp, message } of clouddb.getServiceLogs({ serviceId, search: "deadlock" })) {
        return \`\${timestamp} \${message}\`;
    }
    return undefined;
}
\`\`\`

- Settings are those of the resources: the stack's config, then the environment. All look-ups of a program share connections, pace and retries. The resources run in another process, with a pace of their own.
- Results have the names of the resources' outputs. Passwords are never in them.
- An error is a \`ServiceError\`, \`ConnectionError\`, \`AnswerError\`, \`SettingError\` or \`LookupError\`, all of them a \`CloudDbError\` and exported; a program that does not catch it ends with its message.
- In a preview a look-up is done once its arguments are known, so it needs the token; a plain one always. An \`…Output\` of something that is not known yet stays unknown and asks nothing. \`{ dependsOn }\` as a last argument makes it wait for resources.
- Every one but \`getAuthInfo\` and \`getProjects\` takes a \`projectId\`; without one it is that of the settings.`;

/** @param {import("./sources.mjs").Sources} sources */
export function lookupsPage(sources) {
    const sections = FILES.flatMap((path) =>
        sources
            .namesIn(path)
            .filter((name) => /^get/.test(name) && !name.endsWith("Output"))
            .map((name) => section(sources, path, name)),
    );
    const results = Object.entries(RESULTS).map(([name, path]) => resultSection(sources, path, name));
    const all = [...sections, "## Results", "What is `undefined` is not told by the service.", ...results];
    return `# Look-ups\n\n${BANNER}\n${INTRODUCTION}\n\n${all.join("\n\n")}\n`;
}

/** @param {import("./sources.mjs").Sources} sources @param {string} path @param {string} name */
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
    const result = Object.keys(RESULTS).find((one) => new RegExp(`<${one}\\b`).test(signature));
    if (result === undefined) throw new Error(`What ${name} answers is not described: ${signature}`);
    return [
        `## ${name}`,
        `${sources.textOf(sources.exported(path, name))} See [${result}](#${result.toLowerCase()}).`,
        `\`\`\`text\n${name}${signature}\n${name}Output${sources.signature(path, `${name}Output`)}\n\`\`\``,
        ...(rows.length > 0 ? [table([["argument", "type", "meaning"], ...rows])] : []),
    ].join("\n\n");
}

/** @param {import("./sources.mjs").Sources} sources @param {string} path @param {string} name */
function resultSection(sources, path, name) {
    const rows = sources.deepMembers(path, name).map(({ name: property, type, optional, text }) => {
        if (text === "") throw new Error(`${name}.${property} has no comment.`);
        const value = type.replaceAll("readonly ", "");
        return [`\`${property}\``, `\`${value}${optional ? " | undefined" : ""}\``, text];
    });
    const about = sources.textOf(sources.exported(path, name));
    return [`### ${name}`, about, table([["property", "type", "meaning"], ...rows])].join("\n\n");
}
