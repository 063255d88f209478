import type { Schema } from "./contract";
import published from "./published.json";

// The published description of the API, whose shapes published.json has: what an API may say. The contract adds what it means.

/** A schema as published.json has it: a name, a reference to a name, an object with these fields, or a value. */
export interface Part extends Omit<Schema, "items" | "required"> {
    readonly is?: string | readonly string[];
    readonly fields?: Readonly<Record<string, Part>>;
    readonly items?: string | Part;
    /** Whether an object must have it. */
    readonly required?: boolean;
}

const schemas: Readonly<Record<string, Part>> = published.schemas;

/** A schema in the form of the contract. */
export function schemaOf(part: string | Part): Schema {
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

type Responses = Readonly<Record<string, string | Part | null>>;

/** The schemas of the answers by operation, such as `GET /projects`, and by status, such as `200` and `4XX`. */
export const describedAnswers = new Map(
    Object.values<{ method: string; path: string; responses: Responses }>(published.operations).map(
        ({ method, path, responses }) => [
            `${method} ${path}`,
            Object.fromEntries(
                Object.entries(responses).map(([status, part]) => [status, part === null ? null : schemaOf(part)]),
            ),
        ],
    ),
);
