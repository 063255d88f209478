import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFastEmulator } from "../support/engine";
import { newFolder } from "../support/folder";
import { goProgram, pascalCase, pathWith, Project, snakeCase, type AnyLanguage } from "./language";
import { programOf } from "./shop";

// An output that a service does not have, as an export and as the input of another resource, with each source of the
// password.

/** The inputs of a service in each case. The rest of its program is the same. */
type Cases = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

/** The outputs of a service that a program exports. It also exports one of its replica set. */
const ofService = ["currentPassword", "poolerConnectionString", "vpcConnectionString", "poolerHost"] as const;
/** Those of a ProductionDatabase without a pooler and a network. */
const ofComponent = ["poolerConnectionString", "vpcConnectionString"] as const;

/** The program with the cases and with a ProductionDatabase whose password is in a variable. */
type Writer = (cases: Cases) => string;

/** The inputs of a case, each written by a function. */
const inputsOf = (args: Cases[string], write: (input: string, value: string) => string, separator = ", ") =>
    Object.entries(args)
        .map(([input, value]) => write(input, JSON.stringify(value)))
        .join(separator);
const linesOf = (cases: Cases, write: (name: string, args: Cases[string]) => readonly string[]) =>
    Object.entries(cases).flatMap(([name, args]) => write(name, args));

const size = { cpuMillis: 500, memoryGbs: 2 };

const inYaml: Writer = (cases) =>
    programOf(
        [
            ...linesOf(cases, (name, args) => [
                `  ${name}: { type: clouddb:Service, properties: { cpuMillis: 500, memoryGbs: 2`,
                `${inputsOf(args, (input, value) => `, ${input}: ${value}`, "")} } }`,
                `  ${name}-readers: { type: clouddb:ReadReplicaSet, properties: { cpuMillis: 500, memoryGbs: 2,`,
                `      serviceId: "\${${name}.serviceId}", password: "\${${name}.currentPassword}" } }`,
            ]),
            "  component: { type: clouddb:ProductionDatabase, properties: { cpuMillis: 500, connectionPooler: false,",
            "      passwordVariable: ORDERS_PASSWORD, passwordVersion: 1, readReplicas: { reports: {} } } }",
            "outputs:",
            ...linesOf(cases, (name) => [
                ...ofService.map((output) => `  ${name}.${output}: \${${name}.${output}}`),
                `  ${name}.readers: \${${name}-readers.connectionString}`,
            ]),
            ...ofComponent.map((output) => `  component.${output}: \${component.${output}}`),
        ].join("\n"),
    );

const inPython: Writer = (cases) =>
    [
        "import pulumi",
        "import pulumi_clouddb as clouddb",
        "size = dict(cpu_millis=500, memory_gbs=2)",
        ...linesOf(cases, (name, args) => [
            `inputs = dict(${inputsOf(args, (input, value) => `${snakeCase(input)}=${value}`)})`,
            `one = clouddb.Service("${name}", **size, **inputs)`,
            "inputs = dict(service_id=one.service_id, password=one.current_password, **size)",
            `readers = clouddb.ReadReplicaSet("${name}-readers", **inputs)`,
            ...ofService.map((output) => `pulumi.export("${name}.${output}", one.${snakeCase(output)})`),
            `pulumi.export("${name}.readers", readers.connection_string)`,
        ]),
        // docs/languages.md: a preview does not know one.vpc_id, and reads this one.
        "found = clouddb.get_service_output(service_id=one.service_id)",
        'clouddb.Service("copy", vpc_id=found.vpc_id, **size)',
        'inputs = dict(password_variable="ORDERS_PASSWORD", password_version=1, read_replicas={"reports": {}})',
        'component = clouddb.ProductionDatabase("component", cpu_millis=500, connection_pooler=False, **inputs)',
        ...ofComponent.map((output) => `pulumi.export("component.${output}", component.${snakeCase(output)})`),
    ].join("\n");

const inputInGo = (value: string) => `pulumi.${value.startsWith('"') ? "String" : "Int"}(${value})`;
const failing = "if err != nil {\nreturn err\n}";
const inGo: Writer = (cases) =>
    goProgram(
        [
            ...linesOf(cases, (name, args) => [
                "{",
                `one, err := clouddb.NewService(ctx, "${name}", &clouddb.ServiceArgs{`,
                "CpuMillis: pulumi.Int(500), MemoryGbs: pulumi.Int(2),",
                `${inputsOf(args, (input, value) => `${pascalCase(input)}: ${inputInGo(value)}`)}})`,
                failing,
                `readers, err := clouddb.NewReadReplicaSet(ctx, "${name}-readers", &clouddb.ReadReplicaSetArgs{`,
                "CpuMillis: pulumi.Int(500), MemoryGbs: pulumi.Int(2),",
                "ServiceId: one.ServiceId, Password: one.CurrentPassword})",
                failing,
                ...ofService.map((output) => `ctx.Export("${name}.${output}", one.${pascalCase(output)})`),
                `ctx.Export("${name}.readers", readers.ConnectionString)`,
                "}",
            ]),
            'component, err := clouddb.NewProductionDatabase(ctx, "component", &clouddb.ProductionDatabaseArgs{',
            "CpuMillis: pulumi.Int(500), ConnectionPooler: pulumi.Bool(false),",
            'PasswordVariable: pulumi.String("ORDERS_PASSWORD"), PasswordVersion: pulumi.Int(1),',
            'ReadReplicas: map[string]clouddb.ReadReplicaInput{"reports": clouddb.ReadReplicaArgs{}}})',
            failing,
            ...ofComponent.map((output) => `ctx.Export("component.${output}", component.${pascalCase(output)})`),
        ].join("\n"),
    );

const inJava: Writer = (cases) =>
    [
        "package shop;",
        ...["Pulumi", "clouddb.*", "clouddb.inputs.*"].map((name) => `import com.pulumi.${name};`),
        "import java.util.Map;\nimport java.util.Optional;",
        "public class App {\npublic static void main(String[] args) {\nPulumi.run(context -> {",
        ...linesOf(cases, (name, args) => [
            `{\nvar one = new Service("${name}", ServiceArgs.builder().cpuMillis(500).memoryGbs(2)`,
            `${inputsOf(args, (input, value) => `.${input}(${value})`, "")}.build());`,
            `var readers = new ReadReplicaSet("${name}-readers", ReadReplicaSetArgs.builder().cpuMillis(500).memoryGbs(2)`,
            ".serviceId(one.serviceId()).password(one.currentPassword().applyValue(Optional::get)).build());",
            ...ofService.map((output) => `context.export("${name}.${output}", one.${output}());`),
            `context.export("${name}.readers", readers.connectionString());\n}`,
        ]),
        'var component = new ProductionDatabase("component", ProductionDatabaseArgs.builder().cpuMillis(500)',
        '.connectionPooler(false).passwordVariable("ORDERS_PASSWORD").passwordVersion(1)',
        '.readReplicas(Map.of("reports", ReadReplicaArgs.builder().build())).build());',
        ...ofComponent.map((output) => `context.export("component.${output}", component.${output}());`),
        "});\n}\n}\n",
    ].join("\n");

const inTypeScript =
    (module: string): Writer =>
    (cases) =>
        [
            `import { ProductionDatabase, ReadReplicaSet, Service } from "${module}";`,
            "const outputs: Record<string, unknown> = {};",
            `const size = ${JSON.stringify(size)};`,
            ...linesOf(cases, (name, args) => [
                `{\nconst one = new Service("${name}", { ...size, ...${JSON.stringify(args)} } as never);`,
                "const ofReaders = { serviceId: one.serviceId, password: one.currentPassword, ...size };",
                ...ofService.map((output) => `outputs["${name}.${output}"] = one.${output};`),
                `outputs["${name}.readers"] = new ReadReplicaSet("${name}-readers", ofReaders).connectionString;\n}`,
            ]),
            'const outside = { passwordVariable: "ORDERS_PASSWORD", passwordVersion: 1 };',
            "const args = { cpuMillis: 500, connectionPooler: false, readReplicas: { reports: {} }, ...outside };",
            'const component = new ProductionDatabase("component", args);',
            ...ofComponent.map((output) => `outputs["component.${output}"] = component.${output};`),
            "export = outputs;",
        ].join("\n");

test.each<[string, AnyLanguage, Writer]>([
    ["YAML", "yaml", inYaml],
    ["Python", "python", inPython],
    ["Go", "go", inGo],
    ["Java", "java", inJava],
    ["TypeScript with the plugin", "nodejs", inTypeScript("pulumi-clouddb/native")],
    ["TypeScript with the dynamic provider", "nodejs", inTypeScript("pulumi-clouddb")],
])("an absent output in %s", async (_, language, write) => {
    if (pathWith(language) === undefined) {
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
    const env = { ORDERS_PASSWORD: "password-in-a-variable" };
    const project = await Project.create(language, emulator, { program: write(cases), env });

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
        ...Object.keys(cases).flatMap((one) => ofService.slice(1).map((output) => `${one}.${output}`)),
        ...ofComponent.map((output) => `component.${output}`),
    ];
    // docs/languages.md: in Java, an absent output is an empty string, in Go only if it is secret.
    const isEmptyText = (name: string) =>
        language === "java" || (language === "go" && name.endsWith("ConnectionString"));
    const present = absent.filter(
        (name) => (outputs[name] ?? undefined) !== undefined && !(outputs[name] === "" && isEmptyText(name)),
    );
    expect(present).toEqual([]);
});
