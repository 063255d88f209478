import { Ajv } from "ajv";
import fc from "fast-check";
import { formats, loadContract, type Schema } from "../../emulator/contract";
import { described as resolved, type Part } from "../../emulator/description";
import published from "../../emulator/published.json";
import { Routes } from "../../emulator/routes";
import type { OperationId } from "../../provider/api/contract";

interface Published {
    readonly method: string;
    readonly path: string;
    readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
    readonly body?: { readonly schema: string };
    readonly responses: Readonly<Record<string, string | Part | null>>;
}

/** A schema in the form of the contract. */
function schemaOf(part: string | Part): Schema {
    const { fields = {}, items, ...others } = resolved(part);
    const entries = Object.entries(fields);
    return {
        ...others,
        required: entries.filter(([, { required }]) => required).map(([name]) => name),
        ...(items !== undefined && { items: schemaOf(items) }),
        ...(entries.length > 0 && {
            type: "object",
            properties: Object.fromEntries(entries.map(([name, field]) => [name, schemaOf(field)])),
        }),
    };
}

/** An operation of the published description, with its schemas in the form of the contract. */
export interface DescribedOperation extends Required<Omit<Published, "body" | "responses">> {
    readonly body: Schema | undefined;
    /** By status, such as `200` and `4XX`. A response without a body has no schema. */
    readonly responses: Readonly<Record<string, Schema | null | undefined>>;
}

export const described = Object.values<Published>(published.operations).map(
    ({ parameters = [], body, responses, ...operation }): DescribedOperation => ({
        ...operation,
        parameters,
        body: body && schemaOf(body.schema),
        responses: Object.fromEntries(
            Object.entries(responses).map(([status, part]) => [status, part === null ? null : schemaOf(part)]),
        ),
    }),
);

/** The operation of the description with the method and the path of each operation of the contract. */
export const describedOperations = Object.fromEntries(
    loadContract().operations.flatMap(({ operationId, method, path }) => {
        const found = described.find((one) => one.method === method && one.path === path);
        return found ? [[operationId, found]] : [];
    }),
) as Readonly<Record<OperationId, DescribedOperation>>;

const ajv = new Ajv({ formats, strict: false, validateSchema: false });
/** The parameters of a URL are texts. */
const coercing = new Ajv({ formats, strict: false, validateSchema: false, coerceTypes: "array" });

function violationIn(validator: Ajv, schema: Schema, value: unknown): string | undefined {
    if (validator.validate(schema, value)) {
        return undefined;
    }
    const [first] = validator.errors ?? [];
    return `${first?.instancePath ?? ""} ${first?.message ?? "is wrong"}`.trim();
}

/** The schema of the response with this status. */
export const describedResponse = ({ responses }: DescribedOperation, status: number): Schema | undefined =>
    responses[status] ?? responses[`${String(status)[0] ?? ""}XX`] ?? undefined;

/** The first violation of the description in a response. Undefined if it allows the response. */
export function responseViolation(operation: DescribedOperation, status: number, body: unknown): string | undefined {
    const schema = describedResponse(operation, status);
    if (schema === undefined) {
        return body === undefined ? undefined : "a body is not allowed";
    }
    return violationIn(ajv, schema, body);
}

/** What the provider sends although the description refuses or lacks it, by the name of its schema and of the member, and why. */
export const sentOnPurpose: Readonly<Record<string, Schema & { readonly why: string }>> = {
    "ResizeInput.nodes": { type: "integer", why: "a service that lacks it rejects or ignores it: the preview says so" },
    "ResizeInput.cpu_millis": {
        type: "string",
        why: "shared and fractions: the preview says that they may be rejected",
    },
    "ResizeInput.memory_gbs": {
        type: "string",
        why: "shared and fractions: the preview says that they may be rejected",
    },
};

/** The schema of a body, with what the provider sends on purpose. */
function sentBody(schema: Schema): Schema {
    const own = Object.entries(sentOnPurpose).map(
        ([place, one]) => [place.split(".") as [string, string], one] as const,
    );
    const added = own.filter(([[title]]) => title === schema.title).map(([[, name], one]) => [name, one] as const);
    return {
        ...schema,
        properties: { ...schema.properties, ...Object.fromEntries(added) },
        additionalProperties: false,
    };
}

const routes = new Routes(described.map((one) => [`${one.method} /v1${one.path}`, one]));

/** A request without its host. */
interface Request {
    readonly method: string;
    readonly path: string;
    readonly body?: string;
}

/** The first violation of the description in a request. Undefined if it allows the request. */
export function requestViolation({ method, path, body = "" }: Request): string | undefined {
    const { target, ids = {} } = routes.match(method, path) ?? {};
    if (!target) {
        return `there is no operation ${method} ${path}`;
    }
    const [, query = ""] = path.split(/\?(.*)/s);
    const sent = new URLSearchParams(query);
    const values = (place: string): Record<string, unknown> =>
        place === "path"
            ? Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, decodeURIComponent(id)]))
            : Object.fromEntries([...sent.keys()].map((name) => [name, sent.getAll(name)]));
    const problems = ["path", "query"].map((place) => {
        const known = target.parameters.filter((one) => one.in === place);
        const properties = Object.fromEntries(known.map((one) => [one.name, one.schema]));
        return violationIn(coercing, { type: "object", properties, additionalProperties: false }, values(place));
    });
    const ofBody = target.body
        ? violationIn(ajv, sentBody(target.body), body === "" ? undefined : JSON.parse(body))
        : body === ""
          ? undefined
          : "a body is not allowed";
    return [...problems, ofBody].find((one) => one !== undefined);
}

const samples: Readonly<Record<string, readonly string[]>> = {
    "date-time": ["2026-08-01T00:00:00Z", "2026-08-01T05:30:00.000000+05:30"],
    cidr: ["10.0.0.0/16"],
    email: ["a@b.example"],
};

/** Random values that a schema allows: optional members are absent or not, and there are further ones. */
export function allowedBy(schema: Schema): fc.Arbitrary<unknown> {
    const value = valueOf(schema);
    return schema.nullable ? fc.oneof({ weight: 4, arbitrary: value }, fc.constant(null)) : value;
}

function valueOf({ type, enum: words, format, items, minLength = 0, properties = {}, required = [] }: Schema) {
    switch (type) {
        case "object": {
            const members = Object.entries(properties).map(([name, one]) => [name, allowedBy(one)] as const);
            const further = fc.option(fc.jsonValue({ maxDepth: 1 }), { nil: undefined });
            return fc
                .tuple(fc.record(Object.fromEntries(members), { requiredKeys: [...required] }), further)
                .map(([one, more]): unknown => (more === undefined ? one : { ...one, further_member: more }));
        }
        case "array":
            return fc.array(allowedBy(items ?? {}), { maxLength: 2 });
        case "string":
            return words || samples[format ?? ""]
                ? fc.constantFrom(...(words ?? samples[format ?? ""] ?? []))
                : fc.oneof(fc.constant("x"), fc.string({ minLength, maxLength: 5 }));
        case "boolean":
            return fc.boolean();
        case "integer":
        case "number":
            return fc.integer({ min: 0, max: 70_000 });
        default:
            throw new Error(`The description has a schema of an unknown type: ${String(type)}.`);
    }
}
