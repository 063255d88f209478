import { Ajv, type ErrorObject, type Format, type Options } from "ajv";
import document from "../provider/api/openapi.gen.json";
import { operations, secretFields as secretNames, type formats as formatNames } from "../provider/api/operations.gen";
import { invalid } from "./errors";
import type { EmulatorRequest } from "./exchange";
import { parseJson, Routes } from "./routes";
import type { OperationId } from "./wire";

/** A part of a schema in the contract. */
export interface Schema {
    readonly title?: string;
    readonly type?: string;
    readonly nullable?: boolean;
    readonly description?: string;
    readonly enum?: readonly string[];
    readonly format?: string;
    readonly items?: Schema;
    readonly minLength?: number;
    readonly maxLength?: number;
    readonly pattern?: string;
    readonly minimum?: number;
    readonly maximum?: number;
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
    readonly additionalProperties?: boolean;
    readonly anyOf?: readonly Schema[];
    readonly "x-absent-means"?: unknown;
    readonly "x-unread"?: true;
    readonly "x-none-beside"?: string;
    readonly "x-not-in-reference"?: true | readonly unknown[];
    readonly "x-replaced-by"?: string;
    readonly "x-synonyms"?: Readonly<Record<string, string>>;
}

/** The names of the fields that hold a password. */
export const secretFields: ReadonlySet<string> = new Set(secretNames);

/** The base path under which the contract is served. */
export const apiRoot = "/v1";

const dateTime = /^(\d{4})-(\d{2})-(\d{2})[Tt]([01]\d|2[0-3]):\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Whether a text is a time in the form of RFC 3339. */
function isDateTime(text: string): boolean {
    const [, year, month, day] = dateTime.exec(text)?.map(Number) ?? [];
    // The calendar repeats every 400 years.
    const daysOfMonth = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
    return Number(day) <= daysOfMonth && !Number.isNaN(Date.parse(text));
}

/** The formats of the contract: one that is missing does not compile. The world validates addresses itself, with a better message. */
export const formats: Readonly<Record<(typeof formatNames)[number], Format>> = {
    "date-time": isDateTime,
    email: /^[^@\s]+@[^@\s]+$/,
    cidr: true,
    password: true,
};

/** A body in the contract. A response can have none. */
interface Described {
    readonly content?: { readonly "application/json": { readonly schema: Schema } };
}

interface Parameter {
    readonly in: string;
    readonly name: string;
    readonly schema: object;
}

/** An operation in the contract. */
export interface Operation {
    readonly operationId: OperationId;
    readonly method: string;
    /** The path below the base URL, with names of ids such as `{service_id}`. */
    readonly path: string;
    readonly summary: string;
    readonly description?: string;
    /** Those that its path does not have. */
    readonly parameters?: readonly Parameter[];
    readonly requestBody?: Described;
    readonly responses: Readonly<Record<string, Described>>;
    readonly "x-not-in-reference"?: true;
}

/** Each path: its operations by method, and the parameters of all of them. */
type Paths = Readonly<Record<string, Readonly<Record<string, Omit<Operation, "method" | "path">>>>>;

/** An operation that a request was matched to. */
export interface Route {
    operationId: OperationId;
    /** The status of a successful response. */
    success: number;
    takesBody: boolean;
    /** Whether the body of a request has a secret field, also in an object. */
    takesSecret: boolean;
    /** The schema of its query. */
    query: Schema;
    operation: Operation;
}

/** The query and the body of a valid request. */
export interface ParsedRequest {
    query: object;
    body: unknown;
}

// The linter checks the schemas of the contract.
const options: Options = { formats, strict: false, validateSchema: false };

/** Matches requests to operations, and validates requests. */
export class Contract {
    /** The operations in the order of the contract. */
    readonly operations = Object.entries(document.paths as unknown as Paths).flatMap(([path, item]) =>
        Object.entries(item)
            .filter(([name]) => name !== "parameters")
            .map(([method, operation]): Operation => ({ ...operation, method: method.toUpperCase(), path })),
    );
    readonly routes = new Routes(this.operations.map((one) => [`${one.method} ${apiRoot}${one.path}`, routeOf(one)]));
    private readonly bodies = new Ajv(options);
    /** Each parameter is a list of its values in the URL. This converts it to a value if its schema is not a list. */
    private readonly queries = new Ajv({ ...options, coerceTypes: "array" });

    get operationIds(): OperationId[] {
        return this.operations.map(({ operationId }) => operationId);
    }

    /** The query and the body of a request. Rejects an invalid one with a sentence that names the field. */
    parse({ path, body: text }: Pick<EmulatorRequest, "path" | "body">, route: Route): ParsedRequest {
        const body = text === undefined || text === "" ? undefined : parseJson(text);
        const schema = bodySchemaOf(route.operation);
        if (schema && !this.bodies.validate(schema, body)) {
            throw invalid(textOf(this.bodies.errors, "The body", ""));
        }
        const sent = new URLSearchParams(path.split(/\?(.*)/s)[1]);
        const query = Object.fromEntries([...sent.keys()].map((name) => [name, sent.getAll(name)]));
        if (!this.queries.validate(route.query, query)) {
            throw invalid(textOf(this.queries.errors, "The query", "query parameter "));
        }
        return { query, body };
    }
}

let loaded: Contract | undefined;

/** The contract of the API, read once per process. */
export const loadContract = (): Contract => (loaded ??= new Contract());

function routeOf(operation: Operation): Route {
    const { operationId, parameters = [], requestBody } = operation;
    const inQuery = parameters.filter((one) => one.in === "query");
    return {
        operationId,
        success: operations[operationId].success,
        takesBody: requestBody !== undefined,
        takesSecret: "secret" in operations[operationId],
        query: {
            type: "object",
            additionalProperties: false,
            properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])),
        },
        operation,
    };
}

/** The schema of the body of an operation. */
export const bodySchemaOf = ({ requestBody }: Operation): Schema | undefined =>
    requestBody?.content?.["application/json"].schema;

/** The first of these errors as a sentence. `place` is the object in which it is, and `noun` precedes the name of a field. */
function textOf(errors: readonly ErrorObject[] | null | undefined, place: string, noun: string): string {
    const [first] = errors ?? [];
    const { instancePath = "", message = "is not allowed", params } = first ?? {};
    const { allowedValues, additionalProperty } = (params ?? {}) as {
        allowedValues?: unknown[];
        additionalProperty?: string;
    };
    if (additionalProperty !== undefined) {
        return `${place} must not have ${additionalProperty}.`;
    }
    const name = instancePath.slice(1).replaceAll("/", ".");
    const field = name === "" ? place : `${noun}${name}`;
    return `${field} ${message}${allowedValues ? `: ${allowedValues.join(", ")}` : ""}.`;
}
