import { isNotFound } from "../api/errors";

/** Something that is not there is an answer, not a failure. */
export async function orGone<T>(call: Promise<T>): Promise<T | undefined> {
    return call.catch((error: unknown) => {
        if (isNotFound(error)) {
            return undefined;
        }
        throw error;
    });
}

/** A collection whose parent is gone is empty. */
export async function orNone<T>(call: Promise<readonly T[]>): Promise<readonly T[]> {
    return (await orGone(call)) ?? [];
}
