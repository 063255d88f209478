import { stringify } from "yaml";
import schema from "../../provider/hosts/native/schema.gen.json";
import { startFastEmulator } from "../support/engine";
import { existingResources } from "./existing";
import { pascalCase, pathWith, programs, Project, root, snakeCase, type Language } from "./language";

// Each function in each form that an SDK has: with values, and with outputs.

interface Described {
    readonly inputs?: { readonly type: string; readonly required?: readonly string[] };
    readonly outputs: {
        readonly properties: Readonly<Record<string, { readonly type?: string; readonly $ref?: string }>>;
    };
}

interface Call {
    /** `Service` for `getService`. */
    readonly name: string;
    readonly args: Readonly<Record<string, string>>;
    /** An output: that with the list, or the first one. */
    readonly output: string;
    readonly isList: boolean;
    readonly hasArgs: boolean;
}

function callsWith(ids: Readonly<Record<string, string>>): readonly Call[] {
    return Object.entries<Described>(schema.functions).map(([token, { inputs, outputs }]) => {
        const name = token.replace("clouddb:index:get", "");
        const required = name === "Service" ? ["serviceId"] : (inputs?.required ?? []);
        const [first] = Object.entries(outputs.properties);
        const [output, { type }] = first ?? ["", { type: "" }];
        const args = Object.fromEntries(required.map((input) => [input, ids[input] ?? ""]));
        return { name, args, output, isList: type === "array", hasArgs: inputs !== undefined };
    });
}

const inYaml = (calls: readonly Call[]): string =>
    stringify({
        name: "functions",
        runtime: "yaml",
        plugins: { providers: [{ name: "clouddb", path: root }] },
        variables: Object.fromEntries(
            calls.map(({ name, args, output }) => [
                name,
                { "fn::invoke": { function: `clouddb:get${name}`, arguments: args, return: output } },
            ]),
        ),
        outputs: Object.fromEntries(calls.map(({ name }) => [name, `\${${name}}`])),
    });

function inPython(calls: readonly Call[]): string {
    const lines = calls.flatMap(({ name, args, output, isList }) => {
        const called = `clouddb.get${snakeCase(name)}`;
        const given = Object.entries(args).map(([input, value]) => `${snakeCase(input)}="${value}"`);
        const value = isList ? `len(found.${snakeCase(output)})` : `found.${snakeCase(output)}`;
        return [
            `plain = (lambda found: ${value})(${called}(${given.join(", ")}))`,
            `later = ${called}_output(${given.join(", ")}).apply(lambda found: ${value})`,
            `pulumi.export("${name}", [plain, later])`,
        ];
    });
    return ["import pulumi", "import pulumi_clouddb as clouddb", ...lines].join("\n");
}

function inGo(calls: readonly Call[]): string {
    const lines = calls.flatMap(({ name, args, output, isList, hasArgs }) => {
        // The class of the resource has the other name.
        const verb = `clouddb:index:${name}` in schema.resources ? "Lookup" : "Get";
        const given = (wrap: (value: string) => string) =>
            Object.entries(args).map(([input, value]) => `${pascalCase(input)}: ${wrap(`"${value}"`)}`);
        const plain = hasArgs
            ? `, &clouddb.${verb}${name}Args{${given((value) => (name === "Service" ? `pulumi.StringRef(${value})` : value)).join(", ")}}`
            : "";
        const later = hasArgs
            ? `, clouddb.${verb}${name}OutputArgs{${given((value) => `pulumi.String(${value})`).join(", ")}}`
            : "";
        const value = isList ? `len(found.${pascalCase(output)})` : `found.${pascalCase(output)}`;
        const type = isList ? "int" : "string";
        return [
            `\t\t{`,
            `\t\t\tfound, err := clouddb.${verb}${name}(ctx${plain})`,
            `\t\t\tif err != nil {`,
            `\t\t\t\treturn err`,
            `\t\t\t}`,
            `\t\t\tlater := clouddb.${verb}${name}Output(ctx${later}).ApplyT(func(found clouddb.${verb}${name}Result) ${type} {`,
            `\t\t\t\treturn ${value}`,
            `\t\t\t})`,
            `\t\t\tctx.Export("${name}", pulumi.Array{pulumi.Any(${value}), later})`,
            `\t\t}`,
        ];
    });
    return [
        "package main",
        'import (\n\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n\t"pulumi-clouddb.invalid/sdk/go/clouddb"\n)',
        "func main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {",
        ...lines,
        "\t\treturn nil\n\t})\n}\n",
    ].join("\n");
}

function inJava(calls: readonly Call[]): string {
    const imports = calls.flatMap(({ name, hasArgs }) =>
        hasArgs
            ? [
                  `import com.pulumi.clouddb.inputs.Get${name}Args;`,
                  `import com.pulumi.clouddb.inputs.Get${name}PlainArgs;`,
              ]
            : [],
    );
    const lines = calls.map(({ name, args, output, isList, hasArgs }) => {
        const built = (type: string) =>
            !hasArgs
                ? ""
                : `${type}.builder()${Object.entries(args)
                      .map(([input, value]) => `.${input}("${value}")`)
                      .join("")}.build()`;
        const value = `found.${output}()${isList ? ".size()" : ""}`;
        return [
            `            context.export("${name}", Output.all(`,
            `                Output.of(ClouddbFunctions.get${name}Plain(${built(`Get${name}PlainArgs`)})).applyValue(found -> String.valueOf(${value})),`,
            `                ClouddbFunctions.get${name}(${built(`Get${name}Args`)}).applyValue(found -> String.valueOf(${value}))));`,
        ].join("\n");
    });
    return [
        "package shop;",
        "import com.pulumi.Pulumi;\nimport com.pulumi.clouddb.ClouddbFunctions;\nimport com.pulumi.core.Output;",
        ...imports,
        "public class App {\n    public static void main(String[] args) {\n        Pulumi.run(context -> {",
        ...lines,
        "        });\n    }\n}\n",
    ].join("\n");
}

const writers: Readonly<Record<Language, (calls: readonly Call[]) => string>> = {
    yaml: inYaml,
    python: inPython,
    go: inGo,
    java: inJava,
};

test.each(Object.entries(writers))("each function in each of its forms in %s", async (name, write) => {
    const language = name as Language;
    const { source, file } = programs[language];
    const path = pathWith(language);
    if (path === undefined) {
        return;
    }
    const emulator = await startFastEmulator();
    const ids = await existingResources(emulator);
    const calls = callsWith({ serviceId: ids.service, vpcId: ids.vpc, peeringId: ids.peering });
    const edit = (text: string) => text.replace(/^name: .*$/m, "name: functions");
    const env = { MAVEN_OPTS: "-XX:TieredStopAtLevel=1" };
    const project = await Project.create(source, language, path, emulator, { edit, env });
    project.write(file, write(calls));
    if (language === "java") {
        await project.pulumi("install");
    }
    await project.up();

    const outputs = await project.outputs();
    const counts: Readonly<Record<string, string>> = { AuthInfo: "apiKey", Service: "orders" };
    for (const { name: one, isList } of calls.filter(({ name: other }) => other !== "ServiceLogs")) {
        // YAML has one form, and no function that counts.
        const forms =
            language === "yaml" ? [outputs[one]].map((list) => (isList ? (list as []).length : list)) : outputs[one];
        const expected = isList ? "1" : (counts[one] ?? (expect.stringMatching(/^\w+/) as string));
        expect({ one, forms: (forms as unknown[]).map(String) }).toEqual({
            one,
            forms: (forms as unknown[]).map(() => expected),
        });
    }
    expect(outputs).toHaveProperty("ServiceLogs");
});
