import type { CallOptions, MalformedEntry } from "../api/client";
import { InvalidResponseError, isNotFound, ProjectNotFoundError, ApiError } from "../api/errors";

/** A collection of resources that one list call returns. */
export interface Source<T> {
    /** Identifies the collection. */
    readonly key: string;
    list(options: CallOptions): Promise<readonly T[]>;
    idOf(item: T): string;
    /** Reads one item. Undefined if it does not exist. Absent if the API has no such operation. */
    readonly get?: (id: string, options: CallOptions) => Promise<T | undefined>;
    /** The parent resource of the collection, with its own collection. Absent for a collection of the project. */
    readonly parent?: { readonly source: Source<unknown>; readonly id: string };
}

/** The result of a list call: the valid and the malformed entries. */
export interface Listing<T> {
    readonly items: readonly T[];
    readonly malformed: readonly MalformedEntry[];
}

/**
 * Lists a source. Malformed entries do not fail the call. The collection of a deleted resource is empty. The parent's
 * collection confirms the deletion, so nothing counts as deleted if the API returns 404 for all requests.
 */
export async function confirmedListing<T>(
    source: Source<T>,
    options: CallOptions,
    pause: () => Promise<void>,
): Promise<Listing<T>> {
    const first = await listing(source, options);
    if (!(first instanceof ApiError)) {
        return first;
    }
    await pause();
    const second = await listing(source, options);
    if (!(second instanceof ApiError)) {
        return second;
    }
    const { parent } = source;
    if (parent === undefined) {
        throw new ProjectNotFoundError(second);
    }
    const parents = await confirmedListing(parent.source, options, pause);
    const exists = parents.items.some((entry) => parent.source.idOf(entry) === parent.id);
    if (exists || malformedOf(parents, parent.id) !== undefined) {
        throw new InvalidResponseError(
            second,
            second.status,
            `${parent.id} exists, but the list of its contents does not`,
            "contract",
        );
    }
    return { items: [], malformed: [] };
}

/** The listing, or the error of a list call that failed with 404. */
async function listing<T>(source: Source<T>, options: CallOptions): Promise<Listing<T> | ApiError> {
    const malformed: MalformedEntry[] = [];
    try {
        const items = await source.list({ ...options, onMalformed: (entry) => malformed.push(entry) });
        return { items, malformed };
    } catch (error) {
        if (isNotFound(error)) {
            return error;
        }
        throw error;
    }
}

/** The malformed entry that has or may have this id. Only called for an id that no valid entry has. */
export function malformedOf({ malformed }: Listing<unknown>, id: string): MalformedEntry | undefined {
    // The id of a nested resource begins with the id of its parent.
    const own = id.slice(id.lastIndexOf("/") + 1);
    return malformed.find(({ fields }) => {
        const found = fields.service_id ?? fields.id;
        return found === own || typeof found !== "string" || found === "";
    });
}
