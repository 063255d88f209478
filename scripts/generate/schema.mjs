/** Generates the schema of the Pulumi package from the types, the comments and the tables of the resources. */
import { functionsFolder, index, kindsFolder } from "./code.mjs";
import { hasExample, withExample } from "./examples.mjs";
import { functionSources } from "./functions.mjs";
import { schemaTypes } from "./types.mjs";

const packageName = "clouddb";
const component = "ProductionDatabase";
/** Go has no module proxy for a repository without a public address, so a program names the folder in its go.mod. */
const goModule = "pulumi-clouddb.invalid/sdk/go";

const tokenOf = (name) => `${packageName}:index:${name}`;

/**
 * The schema as an object.
 *
 * @param {Awaited<ReturnType<typeof import("./sources.mjs").readSources>>} sources
 * @param {{ version: string, description: string, license: string }} manifest - package.json
 * @param {string | undefined} pluginDownloadURL - where Pulumi downloads the plugin
 */
export function schemaOf(sources, { version, description, license }, pluginDownloadURL) {
    const types = schemaTypes(sources, tokenOf);
    const resources = Object.keys(sources.resources).map((type) => [tokenOf(type), resourceOf(sources, types, type)]);
    const components = [[tokenOf(component), componentOf(sources, types)]];
    const functions = functionSources(sources).map((one) => [tokenOf(one.name), functionOf(sources, types, one)]);
    const { environmentNames } = sources.settings;
    return {
        name: packageName,
        displayName: "CloudDB",
        publisher: "CloudDB",
        version,
        description,
        keywords: ["pulumi", packageName, "database", "postgres", "category/database", "kind/native"],
        license,
        ...(pluginDownloadURL && { pluginDownloadURL }),
        language: languages,
        config: {
            variables: settingsOf(
                sources,
                types,
                (name) => environmentNames[name] && { defaultInfo: { environment: [environmentNames[name]] } },
            ),
        },
        provider: {
            description: withExample(
                "The settings of the provider. An explicit provider allows several projects and access tokens in one program.",
                "Provider",
            ),
            // Without defaults from the environment, which would copy the token to the state.
            inputProperties: settingsOf(sources, types),
        },
        // Collected while the other parts are generated.
        types: types.all(),
        resources: Object.fromEntries([...resources, ...components]),
        functions: Object.fromEntries(functions),
    };
}

const languages = {
    nodejs: { packageName: "@pulumi-clouddb/native", respectSchemaVersion: true },
    python: {
        pyproject: { enabled: true },
        pythonRequires: ">=3.10",
        requires: { pulumi: ">=3.142.0,<4.0.0" },
        respectSchemaVersion: true,
    },
    go: {
        modulePath: goModule,
        importBasePath: `${goModule}/${packageName}`,
        generateResourceContainerTypes: true,
        respectSchemaVersion: true,
    },
    csharp: { respectSchemaVersion: true },
};

function settingsOf(sources, types, more = () => ({})) {
    const extra = (name) => ({ ...secretIf(sources.settings.secretSettings.includes(name)), ...more(name) });
    const members = sources.symbols("provider/api/settings.ts", "ProviderInputs");
    return types.object(members, "Provider", { isInput: true, extra }).properties;
}

const secretIf = (isSecret) => isSecret && { secret: true };

function resourceOf(sources, types, type) {
    const { fields, outputs: defined } = sources.resources[type];
    const inputs = types.object(sources.symbols(kindsFolder, `${type}Inputs`), type, {
        isInput: true,
        // Not replaceOnChanges, by which the engine would replace a resource that the provider protects.
        extra: (name) => ({
            ...(fields[name].onChange === "replace" && { willReplaceOnChanges: true }),
            ...secretIf(fields[name].secret),
        }),
    });
    const outputs = types.object(sources.symbols(kindsFolder, `${type}Outputs`), type, {
        extra: (name) => secretIf(defined[name].secret),
    });
    return {
        description: withExample(sources.text(index, type), type),
        ...outputs,
        inputProperties: inputs.properties,
        requiredInputs: inputs.required,
        aliases: [{ type: `pulumi-nodejs:dynamic/${packageName}:${type}` }],
    };
}

/** The component. Its read replica sets are a plain map, because their names are part of resource names. */
function componentOf(sources, types) {
    const { urlOutputs } = sources.component;
    const inputsOf = (name, parent, type, defaults) =>
        types.object(sources.symbols("sdk/nodejs/productionDatabaseInputs.ts", name), parent, {
            isInput: true,
            extra: (input) => secretIf(sources.resources[type].fields[input].secret),
            defaults,
        });
    const inputs = inputsOf(`${component}Inputs`, component, "Service");
    const set = inputsOf("ReadReplicaInputs", "ReadReplica", "ReadReplicaSet", {
        deletionProtection: "that of the component",
        nodes: 1,
        cpuMillis: "that of the service",
        sslMode: "that of the service",
        sslRootCert: "that of the service",
    });
    const description = sources.text(index, "ReadReplicaArgs");
    const additionalProperties = types.add("ReadReplica", { type: "object", description, ...set });
    const described = (of, name) => ({
        description: sources.commentOf(sources.symbols(index, of).find((one) => one.name === name)),
    });
    const resource = (type) => ({ $ref: `#/resources/${tokenOf(type)}` });
    // The plugin returns them as secrets. Marked as secret here, the generated class in Java does not compile.
    const urls = urlOutputs.map((name) => [name, { type: "string", ...described(component, name) }]);
    return {
        isComponent: true,
        description: withExample(sources.text(index, component), component),
        properties: {
            service: { ...resource("Service"), ...described(component, "service") },
            readReplicas: {
                type: "object",
                additionalProperties: resource("ReadReplicaSet"),
                ...described(component, "readReplicas"),
            },
            ...Object.fromEntries(urls),
        },
        required: ["service", "readReplicas", "connectionString"],
        inputProperties: {
            ...inputs.properties,
            readReplicas: {
                type: "object",
                plain: true,
                additionalProperties,
                ...described(`${component}Args`, "readReplicas"),
            },
        },
        requiredInputs: inputs.required,
    };
}

function functionOf(sources, types, { name, args, result }) {
    // The property that contains the list of a function that returns one.
    const { list } = sources.functions[name];
    const text = sources.text(functionsFolder, name);
    const inputs = args && types.object(sources.symbols(functionsFolder, args), name, { isInput: true });
    const items = () => types.reference(sources.typeOf(functionsFolder, result));
    const outputs = list
        ? {
              properties: {
                  [list]: { type: "array", items: items(), description: "The results, in the order of the API." },
              },
              required: [list],
          }
        : withoutUnions(types.object(sources.symbols(functionsFolder, result), result));
    return {
        description: hasExample(name) ? withExample(text, name) : text,
        ...(inputs && { inputs: { type: "object", ...inputs } }),
        outputs: { type: "object", ...outputs },
    };
}

/** The outputs with a number for a size, because the function that Pulumi generates for Python rejects a union. */
function withoutUnions(outputs) {
    const plain = ([name, { oneOf, ...one }]) => {
        const description = `${one.description.replace(/, or `.*?`/, "")} Also absent if it is \`"shared"\`, which only \`getServices\` returns.`;
        return [name, oneOf ? { ...one, description } : one];
    };
    const required = outputs.required.filter((name) => !outputs.properties[name].oneOf);
    return { properties: Object.fromEntries(Object.entries(outputs.properties).map(plain)), required };
}
