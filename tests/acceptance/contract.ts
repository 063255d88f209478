import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020";
import document from "../../provider/api/openapi.gen.json";
import type { OperationId } from "../../provider/api/contract";

/** A request and its response. The path has no query and is below the base URL. */
export interface Exchange {
    readonly method: string;
    readonly path: string;
    readonly requestBody: unknown;
    readonly status: number;
    /** Undefined without a body. A body that is not JSON is its text. */
    readonly responseBody: unknown;
}

/** The operation of a request, and the ids in its path. */
export interface Call {
    readonly operation: OperationId;
    readonly ids: Readonly<Record<string, string>>;
}

interface Described {
    readonly operation: OperationId;
    readonly method: string;
    readonly pattern: RegExp;
    readonly success: string;
    /** Undefined without a body. */
    readonly request: ValidateFunction | undefined;
    readonly answer: ValidateFunction | undefined;
}

type Json = Readonly<Record<string, unknown>>;

const reference = "$ref";
/** The statuses of requests that may succeed later, or with another token. */
const transient: readonly number[] = [401, 409];
const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: true, verbose: true });
const formats: Readonly<Record<string, RegExp>> = {
    "date-time": /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i,
    email: /^[^@\s]+@[^@\s]+$/,
    cidr: /^\d+(\.\d+){3}\/\d+$/,
    password: /^[^]*$/,
};
for (const [name, format] of Object.entries(formats)) {
    ajv.addFormat(name, format);
}

const errorAnswer = compile({ [reference]: "#/components/schemas/Error" });

const operations: readonly Described[] = Object.entries(document.paths as Record<string, Json>).flatMap(
    ([template, methods]) =>
        Object.entries(methods)
            .filter(([method]) => ["get", "post", "put", "patch", "delete"].includes(method))
            .map(([method, described]) => {
                const { operationId, requestBody, responses } = described as {
                    operationId: OperationId;
                    requestBody?: Json;
                    responses: Json;
                };
                const [success = ""] = Object.keys(responses).filter((status) => status !== "default");
                const compiled = (described: unknown) => {
                    const schema = described === undefined ? undefined : schemaOf(described);
                    return schema && compile(schema);
                };
                return {
                    operation: operationId,
                    method: method.toUpperCase(),
                    pattern: new RegExp(`^${template.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
                    success,
                    request: compiled(requestBody),
                    answer: compiled(responses[success]),
                };
            }),
);

/** The operation of a request. Undefined if the contract has none. */
export function callOf({ method, path }: Pick<Exchange, "method" | "path">): Call | undefined {
    for (const { operation, method: described, pattern } of operations) {
        const match = described === method ? pattern.exec(path) : null;
        if (match !== null) {
            return { operation, ids: match.groups ?? {} };
        }
    }
    return undefined;
}

/** Each difference between a response and the schema of its operation. Contains no values of the response but statuses and types. */
export function schemaDifferences(
    { operation }: Call,
    { method, requestBody, status, responseBody }: Exchange,
): string[] {
    const { success, request, answer } = operations.find((one) => one.operation === operation) ?? {};
    const at = `${operation} ${status}`;
    if (status >= 500 || status === 429) {
        // A proxy may send these, with any body.
        return [];
    }
    if (status >= 400) {
        const isDocumented = method === "POST" && (request === undefined || request(requestBody));
        const rejection =
            isDocumented && !transient.includes(status)
                ? [`${operation}: rejects a documented request with ${status}`]
                : [];
        return [...rejection, ...invalidParts(errorAnswer, responseBody).map((part) => `${at}: ${part}`)];
    }
    if (String(status) !== success) {
        return [`${operation}: succeeds with ${status}, not ${success ?? "a documented status"}`];
    }
    return answer === undefined ? [] : invalidParts(answer, responseBody).map((part) => `${at}: ${part}`);
}

function invalidParts(validate: ValidateFunction, body: unknown): string[] {
    return validate(body) ? [] : [...new Set((validate.errors ?? []).map(describe))];
}

function describe({ instancePath, keyword, params, message = "", data }: ErrorObject): string {
    const at =
        instancePath
            .slice(1)
            .replaceAll("/", ".")
            .replace(/\b\d+\b/g, "[]") || "the body";
    const named = params as { missingProperty?: string; additionalProperty?: string };
    switch (keyword) {
        case "required":
            return `${at} has no field "${named.missingProperty}"`;
        case "additionalProperties":
            return `${at} has the undocumented field "${named.additionalProperty}"`;
        case "enum":
            return `${at} has the undocumented value ${JSON.stringify(data)}`;
        default:
            return `${at} ${message}${data === null ? ", but is null" : ""}`;
    }
}

/** The schema of a request or a response. */
function schemaOf(described: unknown): Json | undefined {
    const { content } = resolve(described) as { content?: Record<string, { schema: Json }> };
    return content?.["application/json"]?.schema;
}

/** The object that a reference, or a chain of references, leads to. */
function resolve(value: unknown): Json {
    const target = (value as Json)[reference];
    if (typeof target !== "string") {
        return value as Json;
    }
    const keys = target.split("/").slice(1);
    return resolve(keys.reduce<unknown>((from, key) => (from as Json)[key], document));
}

function compile(schema: Json): ValidateFunction {
    return ajv.compile(exact(schema) as Json);
}

/** A schema without references that accepts only documented fields and values, while clients have to accept others. */
function exact(schema: unknown): unknown {
    if (Array.isArray(schema)) {
        return schema.map(exact);
    }
    if (typeof schema !== "object" || schema === null) {
        return schema;
    }
    const resolved = resolve(schema);
    const { anyOf } = resolved as { anyOf?: readonly unknown[] };
    const known = anyOf?.map(resolve).find((one) => "enum" in one);
    if (known !== undefined) {
        return { type: "string", enum: known.enum };
    }
    const copy = Object.fromEntries(Object.entries(resolved).map(([key, value]) => [key, exact(value)]));
    return resolved.type === "object" && "properties" in resolved ? { additionalProperties: false, ...copy } : copy;
}
