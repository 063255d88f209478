import { CloudDbError } from "../../../provider/api/errors";

/** A function was called with invalid arguments, or its result cannot be determined. The message names the reason. */
export class LookupError extends CloudDbError {}

/** Pulumi shows no stack trace for an error that has this property. */
const messageSuffices = "__pulumiRunError";

/** Marks an error of this package so that Pulumi prints its message without a stack trace. */
export function withoutStack(error: unknown): unknown {
    if (error instanceof CloudDbError) {
        Object.defineProperty(error, messageSuffices, { value: true });
    }
    return error;
}
