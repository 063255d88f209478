import type { OperationId, QueryOf } from "../../../provider/api/contract";

/**
 * The test of one operation, written by hand from the reference, so that it finds errors in the contract and in generated code.
 * Path parameters such as `{vpc_id}` stand for the ids of resources, which exist before the call. `{text}` and `{list}` stand for any
 * text and any list.
 */
export interface Exercise {
    /** An operation that comes first, with the body of its exercise. */
    readonly after?: OperationId;
    readonly query?: QueryOf<"getServiceLogs">;
    /** The expected request, below the base URL. */
    readonly sends: `${"GET" | "POST" | "DELETE"} /${string}`;
    readonly body?: unknown;
    readonly status: number;
    /** A part of the expected result. */
    readonly answers: unknown;
}

export type Exercises = Readonly<Partial<Record<OperationId, Exercise>>>;

export const text = "{text}";
export const list = "{list}";

/** The response of an operation that only returns a message. */
export const message = { message: text };
