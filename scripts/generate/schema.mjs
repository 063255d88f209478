/** Generates the schema of the Pulumi package from the types, the comments and the tables of the resources. */
import { functionsFolder } from "./code.mjs";
import { hasExample, withExample } from "./examples.mjs";
import { functionSources } from "./functions.mjs";
import { schemaTypes } from "./types.mjs";
import { neutralText } from "./words.mjs";

const packageName = "clouddb";
export const index = "sdk/nodejs/index.ts";
const component = "ProductionDatabase";
/** Go has no module proxy for a repository without a public address, so a program names the folder in its go.mod. */
const goModule = "pulumi-clouddb.invalid/sdk/go";

/**
 * The schema as an object.
 *
 * @param {ReturnType<typeof import("../docs/sources.mjs").readSources>} sources
 * @param {{ version: string, description: string, license: string }} manifest - package.json
 * @param {{ pluginDownloadURL?: string }} addresses - where Pulumi downloads the plugin
 */
export function schemaOf(sources, { version, description, license }, { pluginDownloadURL }) {
    const types = schemaTypes(sources, packageName);
    const token = (name) => `${packageName}:index:${name}`;
    const resources = Object.keys(sources.resources).map((type) => [token(type), resourceOf(sources, types, type)]);
    const components = [[token(component), componentOf(sources, types)]];
    const functions = functionSources(sources).map((one) => [token(one.name), functionOf(sources, types, one)]);
    const settings = settingsOf(sources, types);
    return {
        name: packageName,
        displayName: "CloudDB",
        publisher: "CloudDB",
        version,
        description,
        keywords: ["pulumi", packageName, "database", "postgres", "category/database", "kind/native"],
        license,
        ...(pluginDownloadURL && { pluginDownloadURL }),
        language: languages(),
        config: {
            variables: settings((environment) => environment && { defaultInfo: { environment: [environment] } }),
        },
        provider: {
            description: withExample(
                "The settings of the provider. An explicit provider allows several projects and access tokens in one program.",
                "Provider",
            ),
            // Without defaults from the environment, which would copy the token to the state.
            inputProperties: settings(() => ({})),
        },
        // Collected while the other parts are generated.
        types: types.all(),
        resources: Object.fromEntries([...resources, ...components]),
        functions: Object.fromEntries(functions),
    };
}

function languages() {
    return {
        nodejs: { packageName: "@pulumi-clouddb/native", respectSchemaVersion: true },
        python: {
            pyproject: { enabled: true },
            pythonRequires: ">=3.9",
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
}

function settingsOf(sources, types) {
    const { environmentNames, secretSettings } = sources.settings;
    const members = sources.symbols("provider/api/settings.ts", "ProviderInputs");
    return (extra) => {
        const { properties } = types.inputs(members, "Provider", (name) => ({
            ...(secretSettings.includes(name) && { secret: true }),
            ...extra(environmentNames[name]),
        }));
        return properties;
    };
}

function resourceOf(sources, types, type) {
    const resource = sources.resources[type];
    const given = types.inputs(sources.symbols("provider/resources", `${type}Inputs`), type, (name) => {
        const { onChange, secret } = resource.fields[name];
        // Not replaceOnChanges, by which the engine would replace a resource that the provider protects.
        return {
            ...(onChange === "replace" && { willReplaceOnChanges: true }),
            ...(secret && { secret: true }),
        };
    });
    const outputs = types.outputs(
        sources.symbols("provider/resources", `${type}Outputs`),
        type,
        (name) => resource.outputs[name].secret && { secret: true },
    );
    return {
        description: withExample(neutralText(sources.textOf(sources.exported(index, type))), type),
        properties: outputs.properties,
        required: outputs.required,
        inputProperties: given.properties,
        requiredInputs: given.required,
        aliases: [{ type: `pulumi-nodejs:dynamic/${packageName}:${type}` }],
    };
}

/** The component. Its read replica sets are a plain map, because their names are part of resource names. */
function componentOf(sources, types) {
    const { productionDefaults, urlOutputs } = sources.component;
    const secretInputs = (type) => (name) => sources.resources[type].fields[name].secret && { secret: true };
    const inputsOf = (name) => sources.symbols("sdk/nodejs/productionDatabaseInputs.ts", name);
    const defaults = Object.entries(productionDefaults).map(([name, value]) => [name, JSON.stringify(value)]);
    const given = types.inputs(
        inputsOf(`${component}Inputs`),
        component,
        secretInputs("Service"),
        Object.fromEntries(defaults),
    );
    const set = types.inputs(inputsOf("ReadReplicaInputs"), "ReadReplica", secretInputs("ReadReplicaSet"), {
        deletionProtection: "that of the component",
        nodes: 1,
        cpuMillis: "that of the service",
        sslMode: "that of the service",
        sslRootCert: "that of the service",
    });
    const sets = sources.symbols(index, `${component}Args`).find(({ name }) => name === "readReplicas");
    const properties = Object.fromEntries(
        sources.outputs(index, component).map(({ name, text }) => [name, { description: neutralText(text) }]),
    );
    const resource = (type) => ({ $ref: `#/resources/${packageName}:index:${type}` });
    // The plugin returns them as secrets. Marked as secret here, the generated class in Java does not compile.
    const urls = urlOutputs.map((name) => [name, { type: "string", ...properties[name] }]);
    return {
        isComponent: true,
        description: withExample(neutralText(sources.textOf(sources.exported(index, component))), component),
        properties: {
            service: { ...resource("Service"), ...properties.service },
            readReplicas: {
                type: "object",
                additionalProperties: resource("ReadReplicaSet"),
                ...properties.readReplicas,
            },
            ...Object.fromEntries(urls),
        },
        required: ["service", "readReplicas", "connectionString"],
        inputProperties: {
            ...given.properties,
            readReplicas: {
                type: "object",
                plain: true,
                additionalProperties: types.named(
                    "ReadReplica",
                    neutralText(sources.textOf(sources.exported(index, "ReadReplicaArgs"))),
                    set,
                ),
                description: neutralText(sources.textOf(sets)),
            },
        },
        requiredInputs: given.required,
    };
}

function functionOf(sources, types, { name, args, result }) {
    // The property that contains the list of a function that returns one.
    const { list } = sources.functions[name];
    const text = neutralText(sources.textOf(sources.exported(functionsFolder, name)));
    const inputs = args && types.inputs(sources.symbols(functionsFolder, args), name);
    const outputs = list
        ? {
              properties: {
                  [list]: {
                      type: "array",
                      items: types.reference(sources.typeOf(functionsFolder, result)),
                      description: "The results, in the order of the API.",
                  },
              },
              required: [list],
          }
        : withoutUnions(types.outputs(sources.symbols(functionsFolder, result), result));
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
    return { ...outputs, properties: Object.fromEntries(Object.entries(outputs.properties).map(plain)) };
}
