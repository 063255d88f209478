import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { secretsProvider, startFastEmulator } from "../support/engine";
import { newFolder } from "../support/folder";
import { pascalCase, pathWith, programs, Project, root, snakeCase, type AnyLanguage } from "./language";

// An output that a service does not have, as an export and as the input of another resource, with each source of the password.

/** The inputs of a service in each case. The rest of its program is the same. */
type Cases = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

/** The outputs of a service that a program exports. It also exports one of its replica set and one of a function. */
const ofService = ["currentPassword", "poolerConnectionString", "vpcConnectionString", "poolerHost"] as const;
/** Those of a ProductionDatabase without a pooler and a network. */
const ofComponent = ["poolerConnectionString", "vpcConnectionString"] as const;

/** The programs of one language. */
interface Programs {
    /** The program with the cases and with a ProductionDatabase whose password is in a variable. */
    readonly all: (cases: Cases) => string;
    /** The program that exports outputs of the stack `test`, which may be absent. */
    readonly reader: (outputs: readonly string[]) => string;
}

const literal = (value: string | number) => JSON.stringify(value);

const inYaml = (parts: object): string =>
    stringify({
        name: "absent",
        runtime: "yaml",
        plugins: { providers: [{ name: "clouddb", path: root }] },
        ...parts,
    });

const yaml: Programs = {
    all: (cases) =>
        inYaml({
            resources: {
                ...Object.fromEntries(
                    Object.entries(cases).flatMap(([name, args]) => [
                        [name, { type: "clouddb:Service", properties: { cpuMillis: 500, memoryGbs: 2, ...args } }],
                        [
                            `${name}-readers`,
                            {
                                type: "clouddb:ReadReplicaSet",
                                properties: {
                                    serviceId: `\${${name}.serviceId}`,
                                    cpuMillis: 500,
                                    memoryGbs: 2,
                                    password: `\${${name}.currentPassword}`,
                                },
                            },
                        ],
                    ]),
                ),
                component: {
                    type: "clouddb:ProductionDatabase",
                    properties: {
                        cpuMillis: 500,
                        connectionPooler: false,
                        passwordVariable: "ORDERS_PASSWORD",
                        passwordVersion: 1,
                        readReplicas: { reports: {} },
                    },
                },
            },
            variables: Object.fromEntries(
                Object.keys(cases).map((name) => [
                    `${name}-found`,
                    {
                        "fn::invoke": {
                            function: "clouddb:getService",
                            arguments: { serviceId: `\${${name}.serviceId}` },
                        },
                    },
                ]),
            ),
            outputs: {
                ...Object.fromEntries(
                    Object.keys(cases).flatMap((name) => [
                        ...ofService.map((output) => [`${name}.${output}`, `\${${name}.${output}}`]),
                        [`${name}.readers`, `\${${name}-readers.connectionString}`],
                        [`${name}.found`, `\${${name}-found.poolerHost}`],
                    ]) as [string, string][],
                ),
                ...Object.fromEntries(ofComponent.map((output) => [`component.${output}`, `\${component.${output}}`])),
            },
        }),
    reader: (outputs) =>
        inYaml({
            resources: {
                other: { type: "pulumi:pulumi:StackReference", properties: { name: "organization/absent/test" } },
            },
            outputs: Object.fromEntries(outputs.map((output) => [output, `\${other.outputs["${output}"]}`])),
        }),
};

const python: Programs = {
    all: (cases) =>
        [
            "import pulumi",
            "import pulumi_clouddb as clouddb",
            ...Object.entries(cases).flatMap(([name, args]) => [
                `one = clouddb.Service("${name}", cpu_millis=500, memory_gbs=2, ${Object.entries(args)
                    .map(([input, value]) => `${snakeCase(input)}=${literal(value)}`)
                    .join(", ")})`,
                `readers = clouddb.ReadReplicaSet("${name}-readers", service_id=one.service_id, cpu_millis=500, memory_gbs=2, password=one.current_password)`,
                ...ofService.map((output) => `pulumi.export("${name}.${output}", one.${snakeCase(output)})`),
                `pulumi.export("${name}.readers", readers.connection_string)`,
                `pulumi.export("${name}.found", clouddb.get_service_output(service_id=one.service_id).pooler_host)`,
            ]),
            'component = clouddb.ProductionDatabase("component", cpu_millis=500, connection_pooler=False, password_variable="ORDERS_PASSWORD", password_version=1, read_replicas={"reports": {}})',
            ...ofComponent.map((output) => `pulumi.export("component.${output}", component.${snakeCase(output)})`),
        ].join("\n"),
    reader: (outputs) =>
        [
            "import pulumi",
            'other = pulumi.StackReference("organization/absent/test")',
            ...outputs.map((output) => `pulumi.export("${output}", other.get_output("${output}"))`),
        ].join("\n"),
};

const failing = "\t\tif err != nil {\n\t\t\treturn err\n\t\t}";
const inGo = (imports: readonly string[], lines: readonly string[]): string =>
    [
        "package main",
        ...["github.com/pulumi/pulumi/sdk/v3/go/pulumi", ...imports].map((name) => `import "${name}"`),
        "func main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {",
        ...lines,
        "\t\treturn nil\n\t})\n}\n",
    ].join("\n");

const go: Programs = {
    all: (cases) =>
        inGo(
            ["pulumi-clouddb.invalid/sdk/go/clouddb"],
            [
                ...Object.entries(cases).flatMap(([name, args]) => [
                    "\t\t{",
                    `\t\tone, err := clouddb.NewService(ctx, "${name}", &clouddb.ServiceArgs{CpuMillis: pulumi.Int(500), MemoryGbs: pulumi.Int(2), ${Object.entries(
                        args,
                    )
                        .map(
                            ([input, value]) =>
                                `${pascalCase(input)}: pulumi.${typeof value === "number" ? "Int" : "String"}(${literal(value)})`,
                        )
                        .join(", ")}})`,
                    failing,
                    `\t\treaders, err := clouddb.NewReadReplicaSet(ctx, "${name}-readers", &clouddb.ReadReplicaSetArgs{ServiceId: one.ServiceId, CpuMillis: pulumi.Int(500), MemoryGbs: pulumi.Int(2), Password: one.CurrentPassword})`,
                    failing,
                    ...ofService.map((output) => `\t\tctx.Export("${name}.${output}", one.${pascalCase(output)})`),
                    `\t\tctx.Export("${name}.readers", readers.ConnectionString)`,
                    `\t\tctx.Export("${name}.found", clouddb.LookupServiceOutput(ctx, clouddb.LookupServiceOutputArgs{ServiceId: one.ServiceId}).PoolerHost())`,
                    "\t\t}",
                ]),
                `\t\tcomponent, err := clouddb.NewProductionDatabase(ctx, "component", &clouddb.ProductionDatabaseArgs{CpuMillis: pulumi.Int(500), ConnectionPooler: pulumi.Bool(false), PasswordVariable: pulumi.String("ORDERS_PASSWORD"), PasswordVersion: pulumi.Int(1), ReadReplicas: map[string]clouddb.ReadReplicaInput{"reports": clouddb.ReadReplicaArgs{}}})`,
                failing,
                ...ofComponent.map(
                    (output) => `\t\tctx.Export("component.${output}", component.${pascalCase(output)})`,
                ),
            ],
        ),
    reader: (outputs) =>
        inGo(
            [],
            [
                '\t\tother, err := pulumi.NewStackReference(ctx, "organization/absent/test", nil)',
                failing,
                ...outputs.map((output) => `\t\tctx.Export("${output}", other.GetOutput(pulumi.String("${output}")))`),
            ],
        ),
};

const inJava = (imports: readonly string[], lines: readonly string[]): string =>
    [
        "package shop;",
        ...["com.pulumi.Pulumi", ...imports].map((name) => `import ${name};`),
        "public class App {\n    public static void main(String[] args) {\n        Pulumi.run(context -> {",
        ...lines,
        "        });\n    }\n}\n",
    ].join("\n");

const java: Programs = {
    all: (cases) =>
        inJava(
            ["com.pulumi.clouddb.*", "com.pulumi.clouddb.inputs.*", "java.util.Map", "java.util.Optional"],
            [
                ...Object.entries(cases).flatMap(([name, args]) => [
                    "            {",
                    `                var one = new Service("${name}", ServiceArgs.builder().cpuMillis(500).memoryGbs(2)${Object.entries(
                        args,
                    )
                        .map(([input, value]) => `.${input}(${literal(value)})`)
                        .join("")}.build());`,
                    `                var readers = new ReadReplicaSet("${name}-readers", ReadReplicaSetArgs.builder().serviceId(one.serviceId()).cpuMillis(500).memoryGbs(2).password(one.currentPassword().applyValue(Optional::get)).build());`,
                    ...ofService.map(
                        (output) => `                context.export("${name}.${output}", one.${output}());`,
                    ),
                    `                context.export("${name}.readers", readers.connectionString());`,
                    `                context.export("${name}.found", ClouddbFunctions.getService(GetServiceArgs.builder().serviceId(one.serviceId()).build()).applyValue(found -> found.poolerHost()));`,
                    "            }",
                ]),
                '            var component = new ProductionDatabase("component", ProductionDatabaseArgs.builder().cpuMillis(500).connectionPooler(false).passwordVariable("ORDERS_PASSWORD").passwordVersion(1).readReplicas(Map.of("reports", ReadReplicaArgs.builder().build())).build());',
                ...ofComponent.map(
                    (output) => `            context.export("component.${output}", component.${output}());`,
                ),
            ],
        ),
    reader: (outputs) =>
        inJava(
            ["com.pulumi.resources.StackReference"],
            [
                '            var other = new StackReference("organization/absent/test");',
                ...outputs.map((output) => `            context.export("${output}", other.output("${output}"));`),
            ],
        ),
};

const typeScript = (module: string): Programs => ({
    all: (cases) =>
        [
            `import { ProductionDatabase, ReadReplicaSet, Service, getServiceOutput } from "${module}";`,
            "const outputs: Record<string, unknown> = {};",
            ...Object.entries(cases).flatMap(([name, args]) => [
                "{",
                `    const one = new Service("${name}", { cpuMillis: 500, memoryGbs: 2, ...${JSON.stringify(args)} } as never);`,
                `    const readers = new ReadReplicaSet("${name}-readers", { serviceId: one.serviceId, cpuMillis: 500, memoryGbs: 2, password: one.currentPassword });`,
                ...ofService.map((output) => `    outputs["${name}.${output}"] = one.${output};`),
                `    outputs["${name}.readers"] = readers.connectionString;`,
                `    outputs["${name}.found"] = getServiceOutput({ serviceId: one.serviceId }).apply((found) => found.poolerHost);`,
                "}",
            ]),
            'const component = new ProductionDatabase("component", { cpuMillis: 500, connectionPooler: false, passwordVariable: "ORDERS_PASSWORD", passwordVersion: 1, readReplicas: { reports: {} } });',
            ...ofComponent.map((output) => `outputs["component.${output}"] = component.${output};`),
            "export = outputs;",
        ].join("\n"),
    reader: (outputs) =>
        [
            'import { StackReference } from "@pulumi/pulumi";',
            'const other = new StackReference("organization/absent/test");',
            `export = Object.fromEntries(${JSON.stringify(outputs)}.map((output) => [output, other.getOutput(output)]));`,
        ].join("\n"),
});

const hosts: readonly (readonly [string, AnyLanguage, Programs])[] = [
    ["YAML", "yaml", yaml],
    ["Python", "python", python],
    ["Go", "go", go],
    ["Java", "java", java],
    ["TypeScript with the plugin", "nodejs", typeScript("pulumi-clouddb/native")],
    ["TypeScript with the dynamic provider", "nodejs", typeScript("pulumi-clouddb")],
];

test.each(hosts)("an absent output in %s", async (_, language, { all, reader }) => {
    const { source, file } = programs[language];
    const path = language === "nodejs" ? process.env.PATH : pathWith(language);
    if (path === undefined) {
        return;
    }
    const emulator = await startFastEmulator();
    const passwordFile = join(newFolder(), "password");
    writeFileSync(passwordFile, "password-in-a-file");
    const { id: existingId } = await emulator.createService({ name: "adopted" });
    const cases: Cases = {
        declared: { password: "declared-password" },
        generated: {},
        variable: { passwordVariable: "ORDERS_PASSWORD", passwordVersion: 1 },
        file: { passwordFile, passwordVersion: 1 },
        adopted: { existingId },
    };
    const edit = (text: string) => text.replace(/^name: .*$/m, "name: absent");
    const env = { MAVEN_OPTS: "-XX:TieredStopAtLevel=1", ORDERS_PASSWORD: "password-in-a-variable" };
    const project = await Project.create(source, language, path, emulator, { edit, env });
    project.write(file, all(cases));
    if (language === "java") {
        await project.pulumi("install");
    }

    await project.pulumi("up", "--yes");
    await project.pulumi("preview", "--expect-no-changes");
    await project.pulumi("up", "--yes", "--refresh", "--expect-no-changes");

    const outputs = await project.outputs();
    const knows = (one: string) => ["declared", "generated"].includes(one);
    const read = Object.keys(cases).map((one) => [
        one,
        Boolean(outputs[`${one}.currentPassword`]),
        /^postgres:\/\/\w+:.+@/.test(String(outputs[`${one}.readers`])),
    ]);
    expect(read).toEqual(Object.keys(cases).map((one) => [one, knows(one), knows(one)]));
    const absent = [
        ...Object.keys(cases).flatMap((one) =>
            ["poolerConnectionString", "vpcConnectionString", "poolerHost", "found"].map(
                (output) => `${one}.${output}`,
            ),
        ),
        ...ofComponent.map((output) => `component.${output}`),
    ];
    // docs/languages.md: in Java, an absent output is an empty string, in Go only if it is secret.
    const isEmptyText = (name: string) =>
        language === "java" || (language === "go" && name.endsWith("ConnectionString"));
    const presentIn = (values: Readonly<Record<string, unknown>>) =>
        absent.filter(
            (name) => (values[name] ?? undefined) !== undefined && !(values[name] === "" && isEmptyText(name)),
        );
    expect(presentIn(outputs)).toEqual([]);

    project.write(file, reader(absent));
    await project.pulumi("stack", "init", "reader", "--secrets-provider", secretsProvider);
    await project.up();
    await project.up({ expectNoChanges: true });
    expect(presentIn(await project.outputs())).toEqual([]);
});

test.each([
    [
        "go",
        /Environment: +clouddb\.EnvironmentProd,/,
        'PasswordVariable: pulumi.String("ORDERS_PASSWORD"), PasswordVersion: pulumi.Int(1),',
    ],
    ["java", /\.environment\("PROD"\)/, '.passwordVariable("ORDERS_PASSWORD").passwordVersion(1)'],
] as const)("the example in %s with the password of its service in a variable", async (language, line, password) => {
    const path = pathWith(language);
    if (path === undefined) {
        return;
    }
    const emulator = await startFastEmulator();
    const env = { ORDERS_PASSWORD: "password-in-a-variable" };
    const project = await Project.create(`examples/${language}`, language, path, emulator, { env });
    const { file } = programs[language];
    project.write(
        file,
        project.read(file).replace(line, (found) => `${found}\n${password}`),
    );
    if (language === "java") {
        await project.pulumi("install");
    }

    await project.up();

    await project.pulumi("preview", "--expect-no-changes");
    const inForce = emulator
        .snapshot()
        .services.map((one) => emulator.passwordMatches(one.service_id, env.ORDERS_PASSWORD));
    expect(inForce).toEqual([true]);
    expect((await project.outputs()).reportsUrl).toMatch(/^postgres:\/\/tsdbadmin@/);
});
