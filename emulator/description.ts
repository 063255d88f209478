import type { Schema } from "./contract";
import published from "./published.json";

// The published description of the API, whose shapes published.json has: what an API may say. The contract adds what it means.

/** A schema as published.json has it: a name, a reference to a name, an object with these fields, or a value. */
interface Part extends Pick<Schema, "type" | "enum" | "format" | "minLength" | "nullable"> {
    readonly is?: string | readonly string[];
    readonly fields?: Readonly<Record<string, Part>>;
    readonly items?: string | Part;
    /** Whether an object must have it. */
    readonly required?: boolean;
}

interface PublishedOperation {
    readonly method: string;
    readonly path: string;
    readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
    readonly body?: { readonly required: boolean; readonly schema: string };
    readonly responses: Readonly<Record<string, string | Part | null>>;
}

/** An operation of the description, with its schemas as the contract has them. */
export interface DescribedOperation extends Pick<PublishedOperation, "method" | "path"> {
    readonly parameters: NonNullable<PublishedOperation["parameters"]>;
    readonly body: Schema | undefined;
    /** By status, such as `200` and `4XX`. A response without a body has no schema. */
    readonly responses: Readonly<Record<string, Schema | undefined>>;
}

const schemas: Readonly<Record<string, Part>> = published.schemas;

function schemaOf(part: string | Part): Schema {
    if (typeof part === "string") {
        return { title: part, ...schemaOf(schemas[part] ?? {}) };
    }
    const { is, fields, items, ...others } = part;
    if (is !== undefined) {
        return schemaOf([is].flat()[0] ?? "");
    }
    const entries = Object.entries(fields ?? {});
    return {
        ...others,
        required: entries.filter(([, { required }]) => required).map(([name]) => name),
        ...(items !== undefined && { items: schemaOf(items) }),
        ...(fields && {
            type: "object",
            properties: Object.fromEntries(entries.map(([name, field]) => [name, schemaOf(field)])),
        }),
    };
}

/** The operations of the description. */
export const described: readonly DescribedOperation[] = Object.values<PublishedOperation>(published.operations).map(
    ({ method, path, parameters = [], body, responses }) => ({
        method,
        path,
        parameters,
        body: body && schemaOf(body.schema),
        responses: Object.fromEntries(
            Object.entries(responses).map(([status, part]) => [status, part === null ? undefined : schemaOf(part)]),
        ),
    }),
);
