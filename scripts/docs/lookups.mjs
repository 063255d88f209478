/** The page of the look-ups. */
import { BANNER, table } from "./sources.mjs";

const FILES = ["identity", "vpcs", "services", "logs"].map((name) => `sdk/lookups/${name}.ts`);

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

- Settings are those of the resources: the stack's config, then the environment. All look-ups of a program share connections, pace and retries.
- Results have the names of the resources' outputs. Passwords are never in them.
- An error is a \`ServiceError\`, \`ConnectionError\`, \`AnswerError\`, \`SettingError\` or \`LookupError\`, all of them a \`CloudDbError\` and exported; a program that does not catch it ends with its message.
- In a preview a plain look-up is done, so it needs the token. An \`…Output\` of something that is not known yet stays unknown and asks nothing. \`{ dependsOn }\` as a last argument makes it wait for resources.
- Every one but \`getAuthInfo\` and \`getProjects\` takes a \`projectId\`; without one it is that of the settings.`;

/** @param {import("./sources.mjs").Sources} sources */
export function lookupsPage(sources) {
    const sections = FILES.flatMap((path) =>
        sources
            .namesIn(path)
            .filter((name) => /^get/.test(name) && !name.endsWith("Output"))
            .map((name) => section(sources, path, name)),
    );
    return `# Look-ups\n\n${BANNER}\n${INTRODUCTION}\n\n${sections.join("\n\n")}\n`;
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
    return [
        `## ${name}`,
        sources.textOf(sources.exported(path, name)),
        `\`\`\`text\n${name}${sources.signature(path, name)}\n${name}Output${sources.signature(path, `${name}Output`)}\n\`\`\``,
        ...(rows.length > 0 ? [table([["argument", "type", "meaning"], ...rows])] : []),
    ].join("\n\n");
}
