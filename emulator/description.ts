import type { Schema } from "./contract";
import published from "./published.json";

// The published description of the API, whose shapes published.json has: what an API may say. The contract adds what it means.

/** A part of a schema as published.json has it: what it is by name, an object with these fields, or a value. */
export interface Part extends Omit<Schema, "items" | "required"> {
    readonly is?: string | readonly string[];
    readonly fields?: Readonly<Record<string, Part>>;
    readonly items?: string | Part;
    /** Whether an object must have it. */
    readonly required?: boolean;
}

const schemas: Readonly<Record<string, Part>> = published.schemas;

/** A part, or the name of one, with what it is. Its title is that name. */
export function described(part: string | Part): Part {
    const { is = [], ...own }: Part = typeof part === "string" ? { is: part } : part;
    const [title] = [is].flat();
    return title === undefined ? own : { ...own, ...schemas[title], title };
}

type Responses = Readonly<Record<string, string | Part | null>>;

/** What an operation of the description, such as `GET /projects`, may answer by status, such as `200` and `4XX`. */
export const describedAnswers: ReadonlyMap<string, Responses> = new Map(
    Object.values<{ method: string; path: string; responses: Responses }>(published.operations).map(
        ({ method, path, responses }) => [`${method} ${path}`, responses],
    ),
);
