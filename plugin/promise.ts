import type * as pulumi from "@pulumi/pulumi";

/**
 * The value of an output as a promise, which is undefined if the value is not known and rejects if the output does. An output
 * that is made of outputs of other resources makes a resource depend on them; a promise does not.
 */
export function promiseOf<T>(output: pulumi.Output<T>): Promise<T> {
    return (output as unknown as { promise: () => Promise<T> }).promise();
}
