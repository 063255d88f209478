/** Generates the wire types and the tables of the operations from the contract. */
import { execa } from "execa";
import openapiTS, { astToString } from "openapi-typescript";
import { read } from "../lib/files.mjs";
import { repositoryRoot, ScriptError } from "../lib/repository.mjs";

const contractFile = "provider/api/openapi.yaml";
const thisFile = "scripts/generate/contract.mjs";
const banner = "// Generated from openapi.yaml by `npm run generate`.\n\n";

/** The sources by their paths, and the contract without references. */
export async function contractModules() {
    await redocly("lint", contractFile, "--format", "stylish");
    const contract = JSON.parse(await redocly("bundle", contractFile, "--dereferenced", "--ext", "json"));
    const wire = astToString(await openapiTS(read(contractFile), { enumValues: true }));
    const constant = ([name, value]) => `export const ${name} = ${JSON.stringify(value)} as const;`;
    const constants = Object.entries({ ...operationTables(contract), ...specialFields(contract) }).map(constant);
    return {
        "provider/api/wire.gen.ts": banner + wire,
        "provider/api/operations.gen.ts": banner + constants.join("\n\n"),
        "provider/api/openapi.gen.json": `${JSON.stringify(contract)}\n`,
    };
}

async function redocly(...args) {
    const env = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const { failed, stdout, stderr } = await execa("redocly", args, {
        cwd: repositoryRoot,
        preferLocal: true,
        env,
        reject: false,
    });
    if (failed) {
        throw new ScriptError(`Correct ${contractFile}.\n${stdout || stderr}`);
    }
    return stdout;
}

/** What an operation of each method does. Everything else that depends on the method follows. */
const effects = { get: "read", post: "change", put: "change", patch: "change", delete: "deletion" };

/** The statuses of a success. */
const successes = ["200", "201", "202", "204"];

/** The operations, the methods that they have, and the formats of fields. Fails for what the product does not know. */
export function operationTables(contract) {
    const rows = Object.entries(contract.paths).flatMap(([path, { parameters = [], ...item }]) =>
        Object.entries(item).map(([method, operation]) => {
            known(Object.keys(effects), method, `a method of ${path}`, `\`effects\` in ${thisFile}`);
            for (const { in: place, name } of [...parameters, ...(operation.parameters ?? [])]) {
                known(
                    ["path", "query"],
                    place,
                    `where ${path} has ${name}`,
                    "provider/api/client.ts and emulator/contract.ts",
                );
            }
            return [operation.operationId, rowOf(method, path, operation)];
        }),
    );
    const used = new Set(rows.map(([, { method }]) => method));
    const methods = Object.entries(effects).map(([method, effect]) => [method.toUpperCase(), effect]);
    const formats = new Set();
    JSON.stringify(contract, (key, value) => {
        if (key === "format" && typeof value === "string") {
            formats.add(value);
        }
        return value;
    });
    return {
        operations: Object.fromEntries(rows),
        methods: Object.fromEntries(methods.filter(([method]) => used.has(method))),
        formats: [...formats].sort(),
    };
}

/** Fails if the contract contains something that nothing knows. `file` is where to add it. */
function known(all, found, what, file) {
    if (!all.includes(found)) {
        throw new ScriptError(
            `${contractFile}: ${JSON.stringify(found)} is not known as ${what}, only ${all.join(", ")}. Add it to ${file}.`,
        );
    }
}

function rowOf(method, path, { operationId, summary, requestBody, responses, "x-takes": takes }) {
    const [status, ...others] = Object.keys(responses).filter((code) => code !== "default");
    for (const code of [status, ...others]) {
        known(successes, code, `a status of ${operationId}`, `\`successes\` in ${thisFile}`);
    }
    if (others.length > 0) {
        throw new ScriptError(
            `${contractFile}: ${operationId} has several successes. Keep one of ${status}, ${others.join(", ")}.`,
        );
    }
    // The contract states how long each change takes that the API only accepts.
    if ((status === "202") !== ["seconds", "minutes"].includes(takes)) {
        throw new ScriptError(
            `${contractFile}: ${operationId} answers ${status}. With 202, and only then, it needs x-takes: seconds or minutes.`,
        );
    }
    const { content = {} } = responses[status];
    for (const type of Object.keys({ ...content, ...requestBody?.content })) {
        known(["application/json"], type, `a type of ${operationId}`, "provider/api/http.ts and emulator/contract.ts");
    }
    const schema = content["application/json"]?.schema;
    const [secret] = secretsIn(requestBody?.content?.["application/json"]?.schema);
    return {
        method: method.toUpperCase(),
        path,
        summary,
        success: Number(status),
        takes: takes ?? "seconds",
        ...(secret && { secret }),
        ...(schema && { answer: shapeOf(schema, `the response of ${operationId}`) }),
    };
}

/** The parts of a response that the client checks: types and required fields, but no unknown fields or values. */
function shapeOf({ anyOf, type, items, properties, required = [], minLength }, place) {
    if (anyOf) {
        anyOf.forEach((one) => known(["string"], one.type, `an alternative in ${place}`, `\`shapeOf\` in ${thisFile}`));
        return "string";
    }
    if (type === "array") {
        return { items: shapeOf(items, place) };
    }
    if (properties) {
        const nameOf = (name) => (required.includes(name) ? name : `${name}?`);
        const fields = Object.entries(properties)
            .filter(([, field]) => !field["x-unread"])
            .map(([name, field]) => {
                const shape = shapeOf(field, `${name} of ${place}`);
                const value = absent in field ? { shape, ifAbsent: field[absent] } : shape;
                return [nameOf(name), value];
            });
        return { fields: Object.fromEntries(fields) };
    }
    known(["string", "boolean", "number", "integer"], type, `the type of ${place}`, `\`shapeOf\` in ${thisFile}`);
    return type === "integer" ? "number" : minLength === 1 ? "id" : type;
}

/** The names of the fields that hold a password, also in objects and lists. */
function secretsIn({ format, items, properties = {} } = {}, name) {
    const inner = Object.entries(properties).flatMap(([member, field]) => secretsIn(field, member));
    return format === "password" ? [name] : [...inner, ...(items ? secretsIn(items, name) : [])];
}

/** The keyword of the value that a field has while it is absent. */
const absent = "x-absent-means";

/** The fields that differ from others, in any schema. */
function specialFields({ components: { schemas } }) {
    const fields = Object.values(schemas).flatMap(({ properties = {} }) => Object.entries(properties));
    const replaced = fields.filter(([, field]) => field["x-replaced-by"]);
    /** The values of a keyword, by schema and field. */
    const saidBy = (keyword) => {
        const inSchemas = Object.entries(schemas).map(([schema, { properties = {} }]) => {
            const said = Object.entries(properties).filter(([, field]) => keyword in field);
            return [schema, Object.fromEntries(said.map(([name, field]) => [name, field[keyword]]))];
        });
        return Object.fromEntries(inSchemas.filter(([, said]) => Object.keys(said).length > 0));
    };
    return {
        /** Maps each deprecated spelling to its replacement. */
        deprecatedAliases: Object.fromEntries(replaced.map(([name, field]) => [name, field["x-replaced-by"]])),
        /** The value of a field while it is absent. */
        absentMeans: saidBy(absent),
        /** Whether a creation waits for a field. */
        awaited: saidBy("x-awaited"),
        /** The names of the fields that hold a password. */
        secretFields: [...new Set(Object.values(schemas).flatMap((schema) => secretsIn(schema)))],
    };
}
