import { CloudDbError } from "../../provider/api/errors";

/** What was asked for cannot be looked up. */
export class LookupError extends CloudDbError {}

/** By this property Pulumi knows an error whose message says it all, and shows no stack. */
const messageSuffices = "__pulumiRunError";

/** Lets an error of ours end a program with its message alone. */
export function withoutStack(error: unknown): unknown {
    if (error instanceof CloudDbError) {
        Object.defineProperty(error, messageSuffices, { value: true });
    }
    return error;
}
