/** Generates the schema of the Pulumi package from the types, the comments and the tables of the resources. */
import { RESOURCES } from "../docs/resources.mjs";
import { schemaTypes } from "./types.mjs";

const PACKAGE = "clouddb";
const INDEX = "sdk/nodejs/index.ts";
/** Go has no module proxy for a repository without a public address, so a program names the folder in its go.mod. */
const GO_MODULE = "pulumi-clouddb.invalid/sdk/go";

/** The functions. A function that returns a list has the name of the property that contains it. */
const FUNCTIONS = {
    getAuthInfo: { result: "GetAuthInfoResult" },
    getProjects: { result: "GetProjectResult", list: "projects" },
    getVpcs: { args: "ProjectArgs", result: "GetVpcResult", list: "vpcs" },
    getVpc: { args: "GetVpcArgs", result: "GetVpcResult" },
    getPeerings: { args: "GetPeeringsArgs", result: "GetPeeringResult", list: "peerings" },
    getPeering: { args: "GetPeeringArgs", result: "GetPeeringResult" },
    getServices: { args: "ProjectArgs", result: "GetServiceResult", list: "services" },
    getService: { args: "GetServiceArgs", result: "GetServiceResult" },
    getReadReplicaSets: {
        args: "GetReadReplicaSetsArgs",
        result: "GetReadReplicaSetResult",
        list: "readReplicaSets",
    },
    getServiceLogs: { args: "GetServiceLogsArgs", result: "LogEntry", list: "entries" },
};

/**
 * The schema as an object.
 *
 * @param {ReturnType<typeof import("../docs/sources.mjs").readSources>} sources
 * @param {{ version: string, description: string, license: string }} manifest - package.json
 * @param {string | undefined} pluginDownloadURL - where Pulumi downloads the plugin
 */
export function schemaOf(sources, { version, description, license }, pluginDownloadURL) {
    const types = schemaTypes(sources, PACKAGE);
    const token = (name) => `${PACKAGE}:index:${name}`;
    const resources = RESOURCES.map((resource) => [token(resource.type), resourceOf(sources, types, resource)]);
    const functions = Object.keys(FUNCTIONS).map((name) => [token(name), functionOf(sources, types, name)]);
    const settings = settingsOf(sources, types);
    return {
        name: PACKAGE,
        displayName: "CloudDB",
        version,
        description,
        keywords: ["pulumi", PACKAGE, "database", "postgres", "category/database", "kind/native"],
        license,
        ...(pluginDownloadURL && { pluginDownloadURL }),
        language: languages(),
        config: { variables: settings(({ environment }) => ({ defaultInfo: { environment: [environment] } })) },
        provider: {
            description:
                "The settings of the provider. An explicit provider allows several projects and access tokens in one program.",
            // Without defaults from the environment, which would copy the token to the state.
            inputProperties: settings(() => ({})),
        },
        // Collected while the other parts are generated.
        types: types.all(),
        resources: Object.fromEntries(resources),
        functions: Object.fromEntries(functions),
    };
}

function languages() {
    return {
        nodejs: { packageName: "pulumi-clouddb/native", respectSchemaVersion: true },
        python: {
            pyproject: { enabled: true },
            pythonRequires: ">=3.9",
            requires: { pulumi: ">=3.142.0,<4.0.0" },
            respectSchemaVersion: true,
        },
        go: {
            modulePath: GO_MODULE,
            importBasePath: `${GO_MODULE}/${PACKAGE}`,
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
        const { properties } = types.object(members, "Provider", (name) => ({
            ...(secretSettings.includes(name) && { secret: true }),
            ...extra({ environment: environmentNames[name] }),
        }));
        return properties;
    };
}

function resourceOf(sources, types, { type, sdk, inputs }) {
    const { resource } = sources.lifecycles[type];
    const given = types.object(sources.symbols(inputs, `${type}Inputs`), type, (name) => {
        const { effect, secret } = resource.fields[name];
        // Not replaceOnChanges, by which the engine would replace a resource that the provider protects.
        return { ...(effect === "replace" && { willReplaceOnChanges: true }), ...(secret && { secret: true }) };
    });
    const outputs = types.object(
        sources.symbolsIn("provider/resources", `${type}Outputs`),
        type,
        (name) => resource.outputs[name].secret && { secret: true },
    );
    return {
        description: sources.textOf(sources.exported(sdk, type)),
        properties: outputs.properties,
        required: outputs.required,
        inputProperties: given.properties,
        requiredInputs: given.required,
        aliases: [{ type: `pulumi-nodejs:dynamic/${PACKAGE}:${type}` }],
    };
}

function functionOf(sources, types, name) {
    const { args, result, list } = FUNCTIONS[name];
    const described = sources.exported(INDEX, name);
    const inputs = args && types.object(sources.symbols(INDEX, args), name);
    const outputs = list
        ? {
              properties: {
                  [list]: {
                      type: "array",
                      items: types.reference(sources.typeOf(INDEX, result)),
                      description: "The results, in the order of the API.",
                  },
              },
              required: [list],
          }
        : types.object(sources.symbols(INDEX, result), result);
    return {
        description: sources.textOf(described),
        ...(inputs && { inputs: { type: "object", ...inputs } }),
        outputs: { type: "object", ...outputs },
    };
}
