import { startFastEmulator } from "../support/engine";
import { read, rowsIn } from "../support/documents";
import { goProgram, pascalCase, pathWith, Project, snakeCase, type AnyLanguage } from "./language";
import { programOf } from "./shop";

// The table of the options of ProductionDatabase: a component with each option, and what the state then says about its resources.

/** The columns of the table with a language of each. */
const columns = ["the plugin in TypeScript", "dynamic provider", "other languages"] as const;
type Column = (typeof columns)[number];

const [page = ""] = read("docs/resources/service.md").split("## ProductionDatabase").slice(1);
/** The cells of each option. */
const table = new Map(
    rowsIn(page).flatMap(([names = "", ...cells]) =>
        [...names.matchAll(/^`(\w+)`|(?<=, )`(\w+)`/g)].map(([, first, next]) => [first ?? next ?? "", cells] as const),
    ),
);

/** A resource in the state. */
type Entry = Readonly<Record<string, unknown>>;

/** `true`, a time, names of properties, or a resource of the program. */
type Value = true | "2h" | readonly string[] | "network" | "other";

interface Option {
    readonly value: Value;
    /** Whether only components in other languages than TypeScript and Java have it. */
    readonly isRare?: true;
    /** What the state says about a resource that the option has reached. */
    readonly reaches: (resource: Entry, isSet: boolean, component: Entry) => boolean;
}

const isNetwork = (value: unknown) => String(value).endsWith("Vpc::network");
const isOther = ({ provider }: Entry) => String(provider).includes("::other::");
const includes = (list: unknown, item: string) => (list as string[] | undefined)?.includes(item) ?? false;

const options: Readonly<Record<string, Option>> = {
    protect: { value: true, reaches: (one) => one.protect === true },
    retainOnDelete: { value: true, reaches: (one) => one.retainOnDelete === true },
    customTimeouts: {
        value: "2h",
        reaches: ({ customTimeouts }) => JSON.stringify(customTimeouts ?? 0).includes("7200"),
    },
    dependsOn: {
        value: "network",
        // Children wait for their component, and it is deleted after them.
        reaches: (_, __, { dependencies }) => (dependencies as string[] | undefined)?.some(isNetwork) ?? false,
    },
    deletedWith: { value: "network", reaches: ({ deletedWith }) => isNetwork(deletedWith) },
    parent: { value: "network", reaches: ({ urn }) => String(urn).includes(":Vpc$clouddb:index:ProductionDatabase$") },
    provider: { value: "other", reaches: isOther },
    providers: { value: "other", reaches: isOther },
    ignoreChanges: {
        value: ["cpuMillis", "readReplicas.r.nodes", "typo"],
        reaches: ({ ignoreChanges }, isSet) => includes(ignoreChanges, isSet ? "nodes" : "cpuMillis"),
    },
    replaceOnChanges: {
        value: ["regionCode", 'readReplicas["r"].name'],
        reaches: ({ replaceOnChanges }, isSet) => includes(replaceOnChanges, isSet ? "name" : "regionCode"),
    },
    additionalSecretOutputs: {
        value: ["host"],
        isRare: true,
        reaches: ({ additionalSecretOutputs }) => includes(additionalSecretOutputs, "host"),
    },
    deleteBeforeReplace: { value: true, isRare: true, reaches: () => false },
};

/** How a language writes the options of a component. */
interface Syntax {
    readonly yes?: string;
    readonly time: string;
    readonly names?: (names: string) => string;
    readonly resource?: (name: string) => string;
    readonly list?: (resource: string) => string;
    /** A component with one option. */
    readonly component: (option: string, text: string) => string;
    readonly program: (components: string) => string;
}

const inTypeScript = (module: string): Syntax => ({
    time: '{ update: "2h" }',
    component: (option, text) => `
try { new ProductionDatabase("${option}", args, { ${option}: ${text} }); } catch { refusals.push("${option}"); }`,
    program: (components) => `import { ProductionDatabase, Vpc } from "${module}";
import { Provider } from "pulumi-clouddb/native";
const network = new Vpc("network", { cidr: "10.0.0.0/21", regionCode: "us-east-1" });
const other = new Provider("other", { deletionProtection: false });
const args = { cpuMillis: 500, readReplicas: { r: {} } };
export const refusals: string[] = [];
${components}
`,
});

const inYaml: Syntax = {
    time: "{ update: 2h }",
    resource: (name) => `"\${${name}}"`,
    component: (option, text) => `
  ${option}:
    type: clouddb:ProductionDatabase
    properties: { cpuMillis: 500, readReplicas: { r: {} } }
    options: { ${option}: ${text} }`,
    program: (components) =>
        programOf(`  network:
    type: clouddb:Vpc
    properties: { cidr: 10.0.0.0/21, regionCode: us-east-1 }
  other:
    type: pulumi:providers:clouddb
    properties: { deletionProtection: false }${components}
`),
};

const inPython: Syntax = {
    yes: "True",
    time: 'pulumi.CustomTimeouts(update="2h")',
    component: (option, text) => `
opts = pulumi.ResourceOptions(${snakeCase(option)}=${text})
clouddb.ProductionDatabase("${option}", cpu_millis=500, read_replicas={"r": {}}, opts=opts)`,
    program: (components) => `import pulumi
import pulumi_clouddb as clouddb
network = clouddb.Vpc("network", cidr="10.0.0.0/21", region_code="us-east-1")
other = clouddb.Provider("other", deletion_protection=False)
${components}
`,
};

const inGo: Syntax = {
    time: '&pulumi.CustomTimeouts{Update: "2h"}',
    names: (names) => `[]string{${names}}`,
    list: (resource) => (resource === "other" ? resource : `[]pulumi.Resource{${resource}}`),
    component: (option, text) => `
"${option}": pulumi.${option === "customTimeouts" ? "Timeouts" : pascalCase(option)}(${text}),`,
    program: (components) =>
        goProgram(`        range10 := &clouddb.VpcArgs{Cidr: pulumi.String("10.0.0.0/21"), RegionCode: pulumi.String("us-east-1")}
        network, err := clouddb.NewVpc(ctx, "network", range10)
        if err != nil {
            return err
        }
        other, err := clouddb.NewProvider(ctx, "other", &clouddb.ProviderArgs{DeletionProtection: pulumi.Bool(false)})
        if err != nil {
            return err
        }
        for name, option := range map[string]pulumi.ResourceOption{${components}
        } {
            args := &clouddb.ProductionDatabaseArgs{CpuMillis: pulumi.Int(500)}
            args.ReadReplicas = map[string]clouddb.ReadReplicaInput{"r": clouddb.ReadReplicaArgs{}}
            if _, err := clouddb.NewProductionDatabase(ctx, name, args, option); err != nil {
                return err
            }
        }`),
};

const inJava: Syntax = {
    time: "CustomTimeouts.builder().update(java.time.Duration.ofHours(2)).build()",
    names: (names) => names,
    list: (resource) => resource,
    component: (option, text) => `
new ProductionDatabase("${option}", args, ComponentResourceOptions.builder().${option}(${text}).build());`,
    program: (components) => `package shop;
import com.pulumi.Pulumi;
import com.pulumi.clouddb.*;
import com.pulumi.clouddb.inputs.ReadReplicaArgs;
import com.pulumi.resources.*;
public class App {
    public static void main(String[] ignored) {
        Pulumi.run(context -> {
            var network = new Vpc("network", VpcArgs.builder().cidr("10.0.0.0/21").regionCode("us-east-1").build());
            var other = new Provider("other", ProviderArgs.builder().deletionProtection(false).build());
            var args = ProductionDatabaseArgs.builder().cpuMillis(500)
                .readReplicas(java.util.Map.of("r", ReadReplicaArgs.builder().build())).build();
${components}
        });
    }
}
`,
};

/** The program with all options that components of this language have. */
function programIn(syntax: Syntax, absent: readonly string[]): string {
    const { yes = "true", time, component, program } = syntax;
    const names = syntax.names ?? ((all: string) => `[${all}]`);
    const resource = syntax.resource ?? ((name: string) => name);
    const list = syntax.list ?? names;
    const written = (option: string, value: Value) => {
        if (typeof value === "object") {
            return names(JSON.stringify(value).slice(1, -1));
        }
        const ofResource = ["dependsOn", "providers"].includes(option) ? list : String;
        return value === true ? yes : value === "2h" ? time : ofResource(resource(value));
    };
    const components = Object.entries(options)
        .filter(([option]) => !absent.includes(option))
        .map(([option, { value }]) => component(option, written(option, value)));
    return program(components.join(""));
}

/** The options that the page excludes for Java. */
const [, sentence = ""] = /^- In Java, (.*) reach none/m.exec(page) ?? [];
const noneInJava = [...sentence.matchAll(/`(\w+)`/g)].map(([, option = ""]) => option);

/** What the page says about each option. */
const cellsIn = (column: Column, language: AnyLanguage) =>
    Object.fromEntries([
        // The table has only the others.
        ...Object.keys(options).map((option) => [option, "service and sets"] as const),
        ...[...table].map(([option, cells]) => [option, cells[columns.indexOf(column)]] as const),
        ...(language === "java" ? noneInJava : []).map((option) => [option, "–"] as const),
    ]);

const isRare = Object.keys(options).filter((option) => options[option]?.isRare);

test.each<[string, AnyLanguage, Column, Syntax, readonly string[]]>([
    ["YAML", "yaml", "other languages", inYaml, []],
    ["Python", "python", "other languages", inPython, []],
    ["Go", "go", "other languages", inGo, []],
    ["Java", "java", "other languages", inJava, [...isRare, "deletedWith"]],
    ["TypeScript with the plugin", "nodejs", "the plugin in TypeScript", inTypeScript("pulumi-clouddb/native"), isRare],
    ["TypeScript with the dynamic provider", "nodejs", "dynamic provider", inTypeScript("pulumi-clouddb"), isRare],
])("each option of a component has the documented effect in %s", async (_, language, column, syntax, absent) => {
    if (pathWith(language) === undefined) {
        return;
    }
    const project = await Project.create(language, await startFastEmulator(), { program: programIn(syntax, absent) });
    const output = await project.pulumi("up", "--yes", "--skip-preview");
    expect(output).toContain("typo is an input neither of the service nor of a read replica set");
    const { deployment } = JSON.parse(await project.pulumi("stack", "export")) as {
        deployment: { resources: Entry[] };
    };
    const { refusals = [] } = (await project.outputs()) as { refusals?: readonly string[] };
    const found = Object.fromEntries(
        Object.entries(options).map(([name, { reaches }]) => {
            const [component, service, set] = [
                `:ProductionDatabase::${name}`,
                `:Service::${name}`,
                `ReadReplicaSet::${name}-r`,
            ].map((end) => deployment.resources.find(({ urn }) => String(urn).endsWith(end)));
            if (component === undefined || service === undefined) {
                return [name, refusals.includes(name) ? "refused" : "–"];
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
    expect(found).toEqual(cellsIn(column, language));
});
