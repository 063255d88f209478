/** Generates the wire types and the tables of the operations from the contract. */
import { execa } from "execa";
import openapiTS, { astToString } from "openapi-typescript";
import { read } from "../lib/files.mjs";
import { repositoryRoot } from "../lib/repository.mjs";

const contractFile = "provider/api/openapi.yaml";
const banner = "// Generated from openapi.yaml by `npm run generate`.\n\n";

/** The sources by their paths, and the contract without references. */
export async function contractModules() {
    const bundle = ["bundle", contractFile, "--dereferenced", "--ext", "json"];
    const env = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const { stdout } = await execa("redocly", bundle, { cwd: repositoryRoot, preferLocal: true, env });
    const contract = JSON.parse(stdout);
    const wire = astToString(await openapiTS(read(contractFile), { enumValues: true }));
    const constant = ([name, value]) => `export const ${name} = ${JSON.stringify(value)} as const;`;
    const constants = Object.entries({ operations: operationTable(contract), ...specialFields(contract) }).map(
        constant,
    );
    return {
        "provider/api/wire.gen.ts": banner + wire,
        "provider/api/operations.gen.ts": banner + constants.join("\n\n"),
        "provider/api/openapi.gen.json": `${JSON.stringify(contract)}\n`,
    };
}

function operationTable({ paths }) {
    const rows = Object.entries(paths).flatMap(([path, item]) =>
        ["get", "post", "delete"]
            .filter((method) => item[method])
            .map((method) => [item[method].operationId, rowOf(method, path, item[method])]),
    );
    return Object.fromEntries(rows);
}

function rowOf(method, path, { operationId, summary, responses, "x-takes": takes }) {
    const [status, { content }] = Object.entries(responses).find(([code]) => code !== "default");
    // The contract states how long each change takes that the API only accepts.
    if (status === "202" && !["seconds", "minutes"].includes(takes)) {
        throw new Error(`openapi.yaml: ${operationId} answers ${status} and needs x-takes: seconds or minutes.`);
    }
    const schema = content?.["application/json"].schema;
    return {
        method: method.toUpperCase(),
        path,
        summary,
        success: Number(status),
        takes: takes ?? "seconds",
        ...(schema && { answer: shapeOf(schema) }),
    };
}

/** The parts of a response that the client checks: types and required fields, but no unknown fields or values. */
function shapeOf({ anyOf, type, items, properties, required = [] }) {
    if (anyOf) {
        return "string";
    }
    if (type === "array") {
        return { items: shapeOf(items) };
    }
    if (properties) {
        const nameOf = (name) => (required.includes(name) ? name : `${name}?`);
        const fields = Object.entries(properties).map(([name, field]) => [nameOf(name), shapeOf(field)]);
        return { fields: Object.fromEntries(fields) };
    }
    return type === "integer" ? "number" : type;
}

/** The fields that differ from others, in any schema. */
function specialFields({ components: { schemas } }) {
    const fields = Object.values(schemas).flatMap(({ properties = {} }) => Object.entries(properties));
    const replaced = fields.filter(([, field]) => field["x-replaced-by"]);
    const meant = fields.filter(([, field]) => "x-absent-means" in field);
    return {
        /** Maps each deprecated spelling to its replacement. */
        deprecatedAliases: Object.fromEntries(replaced.map(([name, field]) => [name, field["x-replaced-by"]])),
        /** The value that a field stands for while it is absent. */
        absentMeans: Object.fromEntries(meant.map(([name, field]) => [name, field["x-absent-means"]])),
        /** The names of the fields that hold a password. */
        secretFields: fields.filter(([, { format }]) => format === "password").map(([name]) => name),
    };
}
