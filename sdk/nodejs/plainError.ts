import { inspect } from "node:util";
import { RunError } from "@pulumi/pulumi";
import { CloudDbError } from "../../provider/api/callErrors";

/**
 * An error for which Pulumi prints only the message; that of another library contains its stack trace. Pulumi also colours
 * the trace of an error whose trace it does not print, and Node.js 20 and 22 never finish that for an error within `apply`
 * (https://github.com/nodejs/node/issues/64011). So the error has no trace.
 */
export function withoutStack(error: unknown): Error {
    const plain = error instanceof CloudDbError || RunError.isInstance(error) ? error : new RunError(inspect(error));
    return Object.defineProperties(plain, { __pulumiRunError: { value: true }, stack: { value: "" } });
}

/** An error of a program with this message. */
export const plainError = (message: string): Error => withoutStack(new RunError(message));
