import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020";
import { apiRoot, formats, loadContract, type Route } from "../../emulator/contract";
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
    readonly route: Route;
}

type Json = Readonly<Record<string, unknown>>;

/** A request or a response in the contract. */
type Described = { readonly content?: Readonly<Record<string, { readonly schema: Json }>> } | undefined;

/** The statuses of requests that may succeed later, or with another token. */
const transient: readonly number[] = [401, 409];
const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    verbose: true,
    formats: { ...formats, cidr: /^\d+(\.\d+){3}\/\d+$/, password: true },
});
const validators = new Map<object, ValidateFunction>();

/** The operation of a request. Undefined if the contract has none. */
export function callOf({ method, path }: Pick<Exchange, "method" | "path">): Call | undefined {
    const { target: route, ids = {} } = loadContract().routes.match(method, `${apiRoot}${path}`) ?? {};
    return route && { operation: route.operationId, ids, route };
}

/** Each difference between a response and the schema of its operation. Contains no values of the response but statuses and types. */
export function schemaDifferences({ operation, route }: Call, exchange: Exchange): string[] {
    const { method, requestBody, status, responseBody } = exchange;
    const { requestBody: request, responses } = route.operation;
    const partsOf = (described: unknown) =>
        invalidParts(described as Described, responseBody).map((part) => `${operation} ${status}: ${part}`);
    if (status >= 500 || status === 429) {
        // A proxy may send these, with any body.
        return [];
    }
    if (status >= 400) {
        const isDocumented = method === "POST" && invalidParts(request as Described, requestBody).length === 0;
        const isRejection = isDocumented && !transient.includes(status);
        return [
            ...(isRejection ? [`${operation}: rejects a documented request with ${status}`] : []),
            ...partsOf(responses.default),
        ];
    }
    return status === route.success
        ? partsOf(responses[status])
        : [`${operation}: succeeds with ${status}, not ${route.success}`];
}

/** The parts of a body that differ from its schema. None if it has no schema. */
function invalidParts(described: Described, body: unknown): string[] {
    const schema = described?.content?.["application/json"]?.schema;
    if (schema === undefined) {
        return [];
    }
    const validate = validators.get(schema) ?? ajv.compile(exact(schema) as Json);
    validators.set(schema, validate);
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

/** A schema that accepts only documented fields and values, while clients have to accept others. */
function exact(schema: unknown): unknown {
    if (Array.isArray(schema)) {
        return schema.map(exact);
    }
    if (typeof schema !== "object" || schema === null) {
        return schema;
    }
    const { anyOf, type } = schema as { anyOf?: readonly { enum?: unknown }[]; type?: unknown };
    const known = anyOf?.find((one) => "enum" in one);
    if (known !== undefined) {
        return { type: "string", enum: known.enum };
    }
    const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, exact(value)]));
    return type === "object" && "properties" in schema ? { additionalProperties: false, ...copy } : copy;
}
