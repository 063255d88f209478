import { CloudDbError } from "../../../provider/api/callErrors";

/** Pulumi shows no stack trace for an error that has this property. */
const messageSuffices = "__pulumiRunError";

/** Marks an error of this package so that Pulumi prints its message without a stack trace. */
export function withoutStack(error: unknown): unknown {
    if (error instanceof CloudDbError) {
        Object.defineProperty(error, messageSuffices, { value: true });
    }
    return error;
}
