// `npm run generate [-- --check]`: generates files from the contract and the version. --check only reports stale files.
import { execFileSync } from "node:child_process";
import openapiTS, { astToString } from "openapi-typescript";
import { bootstrap } from "./bootstrap.mjs";
import { readKinds, readSources } from "./generate/sources.mjs";
import { classModules } from "./generate/classes.mjs";
import { functionModules } from "./generate/functions.mjs";
import { kindFunctionsModule } from "./generate/kindFunctions.mjs";
import { schemaOf } from "./generate/schema.mjs";
import { generateSdks } from "./generate/sdks.mjs";
import { neutralText } from "./generate/words.mjs";
import { read, readJson } from "./lib/files.mjs";
import { writeGenerated } from "./lib/generated.mjs";
import { repositoryRoot, ScriptError } from "./lib/repository.mjs";

const contractFile = "provider/api/openapi.yaml";
/** The contract without references. */
const contract = JSON.parse(
    execFileSync(
        process.execPath,
        ["node_modules/@redocly/cli/bin/cli.js", "bundle", contractFile, "--dereferenced", "--ext", "json"],
        {
            cwd: repositoryRoot,
            env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
            encoding: "utf8",
            stdio: "pipe",
        },
    ),
);
const banner = "// Generated from openapi.yaml by `npm run generate`.\n\n";

/** The parts of a response that the client checks: types and required fields, but no unknown fields or values. */
export function shapeOf(schema) {
    if (schema.anyOf) {
        return "string";
    }
    if (schema.type === "array") {
        return { items: shapeOf(schema.items) };
    }
    if (schema.type === "object" || schema.properties) {
        const fields = {};
        for (const [name, field] of Object.entries(schema.properties)) {
            fields[schema.required?.includes(name) ? name : `${name}?`] = shapeOf(field);
        }
        return { fields };
    }
    return schema.type === "integer" ? "number" : schema.type;
}

/** How long a change takes. The contract states it for each that the API only accepts. */
function durationOf({ operationId, "x-takes": takes }, status) {
    if (status === "202" && !["seconds", "minutes"].includes(takes)) {
        throw new Error(`openapi.yaml: ${operationId} answers ${status} and needs x-takes: seconds or minutes.`);
    }
    return takes ?? "seconds";
}

function operationTable() {
    const table = {};
    for (const [path, item] of Object.entries(contract.paths)) {
        for (const method of ["get", "post", "delete"]) {
            const operation = item[method];
            if (!operation) {
                continue;
            }
            const [status, { content }] = Object.entries(operation.responses).find(([code]) => code !== "default");
            const schema = content?.["application/json"].schema;
            // A response without required fields, such as a message, is not checked.
            const isChecked = schema?.type === "array" || schema?.required;
            table[operation.operationId] = {
                method: method.toUpperCase(),
                path,
                summary: operation.summary,
                success: Number(status),
                takes: durationOf(operation, status),
                ...(isChecked ? { answer: shapeOf(schema) } : {}),
            };
        }
    }
    return table;
}

/** The properties of all schemas, with their names. */
const properties = Object.values(contract.components.schemas).flatMap(({ properties: of = {} }) => Object.entries(of));

/** Maps each deprecated spelling to its replacement. */
const deprecatedAliases = Object.fromEntries(
    properties.flatMap(([name, field]) => (field["x-replaced-by"] ? [[name, field["x-replaced-by"]]] : [])),
);

/** The names of the fields that hold a password. */
const secretFields = properties.filter(([, { format }]) => format === "password").map(([name]) => name);

export async function run(args) {
    try {
        return await generate(args);
    } catch (error) {
        if (!(error instanceof ScriptError)) {
            // An error of the compiler says more about the sources than one that it leads to.
            await bootstrap();
        }
        throw error;
    }
}

async function generate(args) {
    const write = (files) => writeGenerated(files, args, "npm run generate");
    return (
        (await write(await contractModules())) ||
        (await write(kindModules(await readKinds()))) ||
        // The schema has the comments of these classes and functions.
        (await write(schemaModules(await readSources()))) ||
        // With all these files, each error of the compiler is one in the sources.
        (await bootstrap()) ||
        generateSdks(args)
    );
}

async function contractModules() {
    const { version } = readJson("package.json");
    const wire = astToString(await openapiTS(read(contractFile), { enumValues: true }));
    const constant = ([name, value]) => `export const ${name} = ${JSON.stringify(value)} as const;`;
    const constants = Object.entries({ operations: operationTable(), deprecatedAliases, secretFields }).map(constant);
    return {
        "provider/api/wire.gen.ts": banner + wire,
        "provider/api/operations.gen.ts": banner + constants.join("\n\n"),
        "provider/api/version.gen.ts": `// Generated from package.json by \`npm run generate\`.\n\nexport const version = ${JSON.stringify(version)};\n`,
        "provider/api/openapi.gen.json": `${JSON.stringify(contract)}\n`,
    };
}

const kindModules = (sources) => ({
    ...classModules(sources),
    "provider/functions/resources.gen.ts": kindFunctionsModule(sources),
});

function schemaModules(sources) {
    const schema = schemaOf(sources, readJson("package.json"), process.env.CLOUDDB_PLUGIN_DOWNLOAD_URL);
    return {
        "provider/hosts/native/schema.gen.json": `${neutralText(JSON.stringify(schema, null, 1))}\n`,
        "sdk/nodejs/native/enums.gen.ts": enumerations(schema),
        ...functionModules(sources),
    };
}

/** The enumerations of the schema under the names that `pulumi import` writes in TypeScript. */
function enumerations({ types }) {
    const declarations = Object.entries(types).flatMap(([token, { enum: values }]) => {
        if (values === undefined) {
            return [];
        }
        const name = token.split(":")[2];
        const members = values.map((one) => `${one.name}: ${JSON.stringify(one.value)}`).join(", ");
        return [
            `export const ${name} = { ${members} } as const;`,
            `export type ${name} = (typeof ${name})[keyof typeof ${name}];\n`,
        ];
    });
    return `// Generated from the schema by \`npm run generate\`.\n\n${declarations.join("\n")}`;
}
