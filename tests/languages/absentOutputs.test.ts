import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { startFastEmulator } from "../support/engine";
import { newFolder } from "../support/folder";
import { pascalCase, pathWith, programs, Project, root, snakeCase, type AnyLanguage } from "./language";

// An output that a service does not have, as an export and as the input of another resource, with each source of the password.

/** The inputs of a service in each case. The rest of its program is the same. */
type Cases = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

/** The outputs that each program exports: of the service, of its replica set, and of a function. */
const exported = ["currentPassword", "poolerConnectionString", "vpcConnectionString", "poolerHost"] as const;

const literal = (value: string | number) => JSON.stringify(value);

const inYaml = (cases: Cases): string =>
    stringify({
        name: "absent",
        runtime: "yaml",
        plugins: { providers: [{ name: "clouddb", path: root }] },
        resources: Object.fromEntries(
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
        variables: Object.fromEntries(
            Object.keys(cases).map((name) => [
                `${name}-found`,
                { "fn::invoke": { function: "clouddb:getService", arguments: { serviceId: `\${${name}.serviceId}` } } },
            ]),
        ),
        outputs: Object.fromEntries(
            Object.keys(cases).flatMap((name): [string, string][] => [
                ...exported.map((output): [string, string] => [`${name}.${output}`, `\${${name}.${output}}`]),
                [`${name}.readers`, `\${${name}-readers.connectionString}`],
                [`${name}.found`, `\${${name}-found.poolerHost}`],
            ]),
        ),
    });

const inPython = (cases: Cases): string =>
    [
        "import pulumi",
        "import pulumi_clouddb as clouddb",
        ...Object.entries(cases).flatMap(([name, args]) => [
            `one = clouddb.Service("${name}", cpu_millis=500, memory_gbs=2, ${Object.entries(args)
                .map(([input, value]) => `${snakeCase(input)}=${literal(value)}`)
                .join(", ")})`,
            `readers = clouddb.ReadReplicaSet("${name}-readers", service_id=one.service_id, cpu_millis=500, memory_gbs=2, password=one.current_password)`,
            ...exported.map((output) => `pulumi.export("${name}.${output}", one.${snakeCase(output)})`),
            `pulumi.export("${name}.readers", readers.connection_string)`,
            `pulumi.export("${name}.found", clouddb.get_service_output(service_id=one.service_id).pooler_host)`,
        ]),
    ].join("\n");

const inGo = (cases: Cases): string =>
    [
        "package main",
        'import (\n\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n\t"pulumi-clouddb.invalid/sdk/go/clouddb"\n)',
        "func main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {",
        ...Object.entries(cases).flatMap(([name, args]) => [
            "\t\t{",
            `\t\t\tone, err := clouddb.NewService(ctx, "${name}", &clouddb.ServiceArgs{CpuMillis: pulumi.Int(500), MemoryGbs: pulumi.Int(2), ${Object.entries(
                args,
            )
                .map(
                    ([input, value]) =>
                        `${pascalCase(input)}: pulumi.${typeof value === "number" ? "Int" : "String"}(${literal(value)})`,
                )
                .join(", ")}})`,
            "\t\t\tif err != nil {\n\t\t\t\treturn err\n\t\t\t}",
            `\t\t\treaders, err := clouddb.NewReadReplicaSet(ctx, "${name}-readers", &clouddb.ReadReplicaSetArgs{ServiceId: one.ServiceId, CpuMillis: pulumi.Int(500), MemoryGbs: pulumi.Int(2), Password: one.CurrentPassword})`,
            "\t\t\tif err != nil {\n\t\t\t\treturn err\n\t\t\t}",
            ...exported.map((output) => `\t\t\tctx.Export("${name}.${output}", one.${pascalCase(output)})`),
            `\t\t\tctx.Export("${name}.readers", readers.ConnectionString)`,
            `\t\t\tctx.Export("${name}.found", clouddb.LookupServiceOutput(ctx, clouddb.LookupServiceOutputArgs{ServiceId: one.ServiceId}).PoolerHost())`,
            "\t\t}",
        ]),
        "\t\treturn nil\n\t})\n}\n",
    ].join("\n");

const inJava = (cases: Cases): string =>
    [
        "package shop;",
        ...["Pulumi", "clouddb.*", "clouddb.inputs.GetServiceArgs"].map((name) => `import com.pulumi.${name};`),
        "import java.util.Optional;",
        "public class App {\n    public static void main(String[] args) {\n        Pulumi.run(context -> {",
        ...Object.entries(cases).flatMap(([name, args]) => [
            "            {",
            `                var one = new Service("${name}", ServiceArgs.builder().cpuMillis(500).memoryGbs(2)${Object.entries(
                args,
            )
                .map(([input, value]) => `.${input}(${literal(value)})`)
                .join("")}.build());`,
            `                var readers = new ReadReplicaSet("${name}-readers", ReadReplicaSetArgs.builder().serviceId(one.serviceId()).cpuMillis(500).memoryGbs(2).password(one.currentPassword().applyValue(Optional::get)).build());`,
            ...exported.map((output) => `                context.export("${name}.${output}", one.${output}());`),
            `                context.export("${name}.readers", readers.connectionString());`,
            `                context.export("${name}.found", ClouddbFunctions.getService(GetServiceArgs.builder().serviceId(one.serviceId()).build()).applyValue(found -> found.poolerHost()));`,
            "            }",
        ]),
        "        });\n    }\n}\n",
    ].join("\n");

const inTypeScript = (cases: Cases): string =>
    [
        'import { Service, ReadReplicaSet, getServiceOutput } from "pulumi-clouddb/native";',
        "const outputs: Record<string, unknown> = {};",
        ...Object.entries(cases).flatMap(([name, args]) => [
            "{",
            `    const one = new Service("${name}", { cpuMillis: 500, memoryGbs: 2, ...${JSON.stringify(args)} } as never);`,
            `    const readers = new ReadReplicaSet("${name}-readers", { serviceId: one.serviceId, cpuMillis: 500, memoryGbs: 2, password: one.currentPassword });`,
            ...exported.map((output) => `    outputs["${name}.${output}"] = one.${output};`),
            `    outputs["${name}.readers"] = readers.connectionString;`,
            `    outputs["${name}.found"] = getServiceOutput({ serviceId: one.serviceId }).apply((found) => found.poolerHost);`,
            "}",
        ]),
        "export = outputs;",
    ].join("\n");

const writers = { yaml: inYaml, python: inPython, go: inGo, java: inJava, nodejs: inTypeScript } as const;

test.each(Object.entries(writers))("an absent output in %s", async (name, write) => {
    const language = name as AnyLanguage;
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
    project.write(file, write(cases));
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
    const absent = Object.keys(cases).flatMap((one) =>
        ["poolerConnectionString", "vpcConnectionString", "poolerHost", "found"].map(
            (output) => outputs[`${one}.${output}`],
        ),
    );
    // docs/languages.md: in Go and Java, an absent secret is an empty string.
    const secret = ["go", "java"].includes(language) ? [""] : [];
    expect(
        absent.filter((value) => value !== undefined && value !== null && !secret.includes(value as string)),
    ).toEqual([]);
});
