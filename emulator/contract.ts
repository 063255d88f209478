import type { ErrorObject, Options } from "ajv/dist/core";
import { OpenAPIRouter, OpenAPIValidator, type Document, type Operation } from "openapi-backend";
import document from "../provider/api/openapi.gen.json";
import type { EmulatorRequest } from "./exchange";
import { Routes } from "./routes";
import type { OperationId } from "./wire";

type Schemas = Record<string, { properties?: Record<string, { format?: string }> }>;

/** The names of the fields that hold a password. */
export const secretFields: ReadonlySet<string> = new Set(
    Object.values(document.components.schemas as Schemas)
        .flatMap(({ properties = {} }) => Object.entries(properties))
        .filter(([, { format }]) => format === "password")
        .map(([name]) => name),
);

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

/** JSON Schema does not define the format `cidr`. The world validates addresses itself, with a better message. */
export const formats: NonNullable<Options["formats"]> = {
    "date-time": isDateTime,
    email: /^[^@\s]+@[^@\s]+$/,
    cidr: true,
};

/** An operation that a request was matched to. */
export interface Route {
    operationId: OperationId;
    /** The status of a successful response. */
    success: number;
    takesBody: boolean;
    /** Whether the body of a request has a secret field. */
    takesSecret: boolean;
    /** The names of its query parameters. */
    queryNames: ReadonlySet<string>;
    operation: Operation;
}

/** A request with the names of its headers in lower case. */
export type ContractRequest = EmulatorRequest & Required<Pick<EmulatorRequest, "headers">>;

/** A parsed request. */
export interface ParsedRequest {
    params: Record<string, string>;
    query: Record<string, string | string[]>;
    body: unknown;
}

/** Matches requests to operations, and validates requests. */
export class Contract {
    private readonly router: OpenAPIRouter;
    private readonly validator: OpenAPIValidator;
    /** The operations in the order of the contract, with their schemas. */
    readonly operations: readonly Operation[];
    /** The router would compile each path to a pattern for each request. */
    readonly routes: Routes<Route>;

    /** `definition` must have no references. */
    constructor(readonly definition: Document) {
        this.router = new OpenAPIRouter({ definition, apiRoot });
        const operations = this.router.getOperations();
        // The router would flatten the paths of the contract again for each request.
        this.router.getOperations = () => operations;
        this.operations = operations;
        this.validator = new OpenAPIValidator({
            definition,
            router: this.router,
            lazyCompileValidators: true,
            // The linter checks the contract's schemas. Checking them here would compile the meta-schema for each operation.
            ajvOpts: { formats, validateSchema: false },
        });
        this.routes = new Routes(operations.map((one) => [`${one.method} ${apiRoot}${one.path}`, routeOf(one)]));
    }

    get operationIds(): OperationId[] {
        return this.operations.map(({ operationId }) => operationId as OperationId);
    }

    parse(request: ContractRequest, route: Route): ParsedRequest {
        const parsed = this.router.parseRequest(request, route.operation);
        return {
            params: parsed.params as ParsedRequest["params"],
            query: parsed.query as ParsedRequest["query"],
            body: parsed.requestBody as unknown,
        };
    }

    /** The first violation of a request, as one sentence that names the field. Undefined if the request is valid. */
    requestFault(request: ContractRequest, route: Route): string | undefined {
        const { errors } = this.validator.validateRequest(request, route.operation);
        const first = errors?.[0];
        return first && textOf(first);
    }
}

let loaded: Contract | undefined;

/** The contract of the API, parsed once per process. */
export const loadContract = (): Contract => (loaded ??= new Contract(withoutReferences(document) as Document));

function routeOf(operation: Operation): Route {
    const parameters = (operation.parameters ?? []) as { in: string; name: string }[];
    return {
        operationId: operation.operationId as OperationId,
        success: Number(Object.keys(operation.responses ?? {}).find((status) => status.startsWith("2"))),
        takesBody: operation.requestBody !== undefined,
        takesSecret: Object.keys(bodySchemaOf(operation)?.properties ?? {}).some((field) => secretFields.has(field)),
        queryNames: new Set(parameters.flatMap((one) => (one.in === "query" ? [one.name] : []))),
        operation,
    };
}

/** The schema of the body of an operation. */
export function bodySchemaOf({ requestBody }: Operation): { properties?: object } | undefined {
    const { content } = (requestBody ?? {}) as { content?: Record<string, { schema?: { properties?: object } }> };
    return content?.["application/json"]?.schema;
}

function textOf({ keyword, instancePath, message = "is not allowed", params }: ErrorObject): string {
    if (keyword === "parse") {
        return `The body is not JSON: ${message}.`;
    }
    const [, part = "", ...rest] = instancePath.split("/");
    const place = part === "requestBody" ? "The body" : `The ${part}`;
    const field = rest.length > 0 ? `${part === "requestBody" ? "" : `${part} parameter `}${rest.join(".")}` : place;
    const { allowedValues, additionalProperty } = params as {
        allowedValues?: unknown[];
        additionalProperty?: string;
    };
    if (additionalProperty !== undefined) {
        return `${place} must not have ${additionalProperty}.`;
    }
    return `${field} ${message}${allowedValues ? `: ${allowedValues.join(", ")}` : ""}.`;
}

/** A copy of a document that contains the target of each internal reference in place of the reference. */
function withoutReferences(document: unknown): unknown {
    const copy = (node: unknown): unknown => {
        if (Array.isArray(node)) {
            return node.map(copy);
        }
        if (typeof node !== "object" || node === null) {
            return node;
        }
        const { $ref, ...rest } = node as { $ref?: unknown };
        const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, copy(value)]));
        // Properties next to a reference, such as a description, override those of its target.
        return typeof $ref === "string" ? { ...(copy(targetOf($ref)) as object), ...own } : own;
    };
    const targetOf = (reference: string): unknown =>
        reference
            .split("/")
            .slice(1)
            .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
    return copy(document);
}
