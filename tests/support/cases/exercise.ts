import type { Durations } from "../../../emulator/durations";
import type { Method } from "../../../provider/api/callAdvice";
import type { OperationId, QueryOf } from "../../../provider/api/contract";
import type { Values } from "./property";

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
    readonly sends: `${Method} /${string}`;
    readonly body?: unknown;
    /** By default, 200. */
    readonly status?: number;
    /** A part of the expected result. By default, there is none. */
    readonly answers?: unknown;
    /** The inputs whose values it sets in an existing resource. By default, those in the body. */
    readonly sets?: Values;
    /** The status until it takes effect, and the duration. By default, it takes effect at once. */
    readonly through?: readonly [status: string, lasts: keyof Durations];
    /** Whether the API rejects it with 409 while the service in its path is paused. Absent if a row of its resource says so. */
    readonly needsRunning?: true;
    readonly rejects?: readonly Rejection[];
}

/** A change of the body of an exercise, a part of the message, and the operations that come first. */
export type Rejection = readonly [change: object, says: string, after?: Readonly<Partial<Record<OperationId, object>>>];

export type Exercises = Readonly<Partial<Record<OperationId, Exercise>>>;

export const text = "{text}";
export const list = "{list}";

/** The response of an operation that only returns a message. */
export const message = { message: text };
