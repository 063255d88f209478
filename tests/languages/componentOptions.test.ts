import { startFastEmulator } from "../support/engine";
import { read, rowsIn } from "../support/documents";
import { programs, pathWith, Project, root, type AnyLanguage } from "./language";

// The table of the options of ProductionDatabase: a component with each option, and what the state then says about its resources.

/** The columns of the table with a language of each. */
const columns = ["the plugin in TypeScript", "dynamic provider", "other languages"] as const;
type Column = (typeof columns)[number];

const [page = ""] = read("docs/resources/service.md").split("## ProductionDatabase").slice(1);
/** The cells of each option. */
const table = new Map(
    rowsIn(page)
        .filter(([option = ""]) => /^`\w+`$/.test(option))
        .map(([option = "", ...cells]) => [option.slice(1, -1), cells]),
);

/** A resource in the state. */
type Entry = Readonly<Record<string, unknown>>;

interface Option {
    readonly yaml?: string;
    readonly typescript?: string;
    /** What the state says about a resource that the option has reached. */
    readonly reaches: (resource: Entry, isSet: boolean, component: Entry) => boolean;
}

const isNetwork = (value: unknown) => String(value).endsWith("Vpc::network");
const includes = (list: unknown, item: string) => (list as string[] | undefined)?.includes(item) ?? false;

const options: Readonly<Record<string, Option>> = {
    protect: { yaml: "protect: true", typescript: "protect: true", reaches: (one) => one.protect === true },
    retainOnDelete: {
        yaml: "retainOnDelete: true",
        typescript: "retainOnDelete: true",
        reaches: (one) => one.retainOnDelete === true,
    },
    customTimeouts: {
        yaml: "customTimeouts: { update: 2h }",
        typescript: 'customTimeouts: { update: "2h" }',
        reaches: ({ customTimeouts }) => JSON.stringify(customTimeouts).includes("7200"),
    },
    dependsOn: {
        yaml: 'dependsOn: ["${network}"]',
        typescript: "dependsOn: network",
        // Children wait for their component, and it is deleted after them.
        reaches: (_, __, { dependencies }) => (dependencies as string[] | undefined)?.some(isNetwork) ?? false,
    },
    deletedWith: {
        yaml: 'deletedWith: "${network}"',
        typescript: "deletedWith: network",
        reaches: ({ deletedWith }) => isNetwork(deletedWith),
    },
    provider: {
        yaml: 'provider: "${other}"',
        typescript: "provider: other",
        reaches: ({ provider }) => String(provider).includes("::other::"),
    },
    providers: {
        yaml: 'providers: ["${other}"]',
        typescript: "providers: [other]",
        reaches: ({ provider }) => String(provider).includes("::other::"),
    },
    ignoreChanges: {
        yaml: 'ignoreChanges: [cpuMillis, "readReplicas.r.nodes", typo]',
        typescript: 'ignoreChanges: ["cpuMillis", "readReplicas.r.nodes", "typo"]',
        reaches: ({ ignoreChanges }, isSet) => includes(ignoreChanges, isSet ? "nodes" : "cpuMillis"),
    },
    replaceOnChanges: {
        yaml: 'replaceOnChanges: [regionCode, "readReplicas.r.name"]',
        typescript: 'replaceOnChanges: ["regionCode", \'readReplicas["r"].name\']',
        reaches: ({ replaceOnChanges }, isSet) => includes(replaceOnChanges, isSet ? "name" : "regionCode"),
    },
    additionalSecretOutputs: {
        yaml: "additionalSecretOutputs: [host]",
        reaches: ({ additionalSecretOutputs }) => includes(additionalSecretOutputs, "host"),
    },
    deleteBeforeReplace: { yaml: "deleteBeforeReplace: true", reaches: () => false },
};

const inYaml = `name: options
runtime: yaml
plugins:
  providers:
    - { name: clouddb, path: ${root} }
resources:
  network:
    type: clouddb:Vpc
    properties: { cidr: 10.0.0.0/21, regionCode: us-east-1 }
  other:
    type: pulumi:providers:clouddb
    properties: { deletionProtection: false }
${Object.entries(options)
    .map(
        ([name, { yaml = "" }]) => `  ${name}:
    type: clouddb:ProductionDatabase
    properties: { cpuMillis: 500, readReplicas: { r: {} } }
    options:
      ${yaml}
`,
    )
    .join("")}`;

const inTypeScript = (module: string, refused: readonly string[]) => `
import { ProductionDatabase, Vpc } from "${module}";
import { Provider } from "pulumi-clouddb/native";
const network = new Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
const other = new Provider("other", { deletionProtection: false });
const args = { cpuMillis: 500, readReplicas: { r: {} } };
export const refusals: string[] = [];
${Object.entries(options)
    .filter(([, { typescript }]) => typescript !== undefined)
    .map(([name, { typescript = "" }]) =>
        refused.includes(name)
            ? `try { new ProductionDatabase("${name}", args, { ${typescript} }); } catch { refusals.push("${name}"); }`
            : `new ProductionDatabase("${name}", args, { ${typescript} });`,
    )
    .join("\n")}
`;

const cellsIn = (column: Column) =>
    Object.fromEntries([...table].map(([option, cells]) => [option, cells[columns.indexOf(column)] ?? ""]));

test("the table has a row for each option", () => {
    expect([...table.keys()]).toEqual(expect.arrayContaining(Object.keys(options)));
});

test.each<[string, AnyLanguage, Column, (refused: readonly string[]) => string]>([
    ["YAML", "yaml", "other languages", () => inYaml],
    [
        "TypeScript with the plugin",
        "nodejs",
        "the plugin in TypeScript",
        (refused) => inTypeScript("pulumi-clouddb/native", refused),
    ],
    [
        "TypeScript with the dynamic provider",
        "nodejs",
        "dynamic provider",
        (refused) => inTypeScript("pulumi-clouddb", refused),
    ],
])("each option of a component has the documented effect in %s", async (_, language, column, write) => {
    const { source, file } = programs[language];
    const path = language === "nodejs" ? process.env.PATH : pathWith(language);
    if (path === undefined) {
        return;
    }
    const cells = cellsIn(column);
    const refused = Object.keys(cells).filter((option) => cells[option] === "refused");
    const project = await Project.create(source, language, path, await startFastEmulator(), {
        edit: (text) => text.replace(/^name: .*$/m, "name: options"),
    });
    project.write(file, write(refused));
    const output = await project.pulumi("up", "--yes", "--skip-preview");
    expect(output).toContain("typo is an input neither of the service nor of a read replica set");
    const { deployment } = JSON.parse(await project.pulumi("stack", "export")) as {
        deployment: { resources: Entry[] };
    };
    const found = Object.fromEntries(
        Object.entries(options).map(([name, { reaches }]) => {
            const [component, service, set] = [
                `:ProductionDatabase::${name}`,
                `:Service::${name}`,
                `ReadReplicaSet::${name}-r`,
            ].map((end) => deployment.resources.find(({ urn }) => String(urn).endsWith(end)));
            if (component === undefined || service === undefined) {
                return [name, refused.includes(name) ? "refused" : "–"];
            }
            const ofSet = set !== undefined && reaches(set, true, component);
            const reached = [reaches(service, false, component), ofSet].join();
            const words: Record<string, string> = {
                "true,true": "service and sets",
                "true,false": "service",
                "false,false": "–",
            };
            return [name, words[reached] ?? reached];
        }),
    );
    const tested = Object.entries(cells).filter(([option]) => option in options);
    expect(found).toEqual(Object.fromEntries(tested.map(([option, cell]) => [option, cell])));
});
