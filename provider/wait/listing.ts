import type { MalformedEntry } from "../api/client";
import { InvalidResponseError, isNotFound, ProjectNotFoundError, ApiError } from "../api/errors";
import type { PollOptions, Source } from "./poller";

/** What a list call returned: the entries that keep the contract, and the others. */
export interface Listing<T> {
    readonly items: readonly T[];
    readonly malformed: readonly MalformedEntry[];
}

/** Lists a source without failing for malformed entries. */
export async function listingOf<T>(source: Source<T>, options: PollOptions): Promise<Listing<T>> {
    const malformed: MalformedEntry[] = [];
    const items = await source.list({ ...options, onMalformed: (entry) => malformed.push(entry) });
    return { items, malformed };
}

/**
 * Lists a source, where a collection below a resource that is gone is empty; that it is gone is confirmed by the collection
 * that held it. So where the API answers 404 for everything, nothing counts as gone.
 */
export async function confirmedListing<T>(
    source: Source<T>,
    list: <U>(source: Source<U>) => Promise<Listing<U>>,
    pause: () => Promise<void>,
): Promise<Listing<T>> {
    const ask = () =>
        list(source).catch((error: unknown) => {
            if (isNotFound(error)) {
                return error;
            }
            throw error;
        });
    const first = await ask();
    if (!(first instanceof ApiError)) {
        return first;
    }
    await pause();
    const second = await ask();
    if (!(second instanceof ApiError)) {
        return second;
    }
    const { parent } = source;
    if (parent === undefined) {
        throw new ProjectNotFoundError(second);
    }
    const parents = await confirmedListing(parent.source, list, pause);
    const exists = parents.items.some((entry) => parent.source.idOf(entry) === parent.id);
    if (exists || malformedOf(parents, parent.id) !== undefined) {
        throw new InvalidResponseError(
            second,
            second.status,
            `${parent.id} exists, but the list of what it contains does not`,
        );
    }
    return { items: [], malformed: [] };
}

/** The malformed entry that is, or may be, the one with this id; only asked for an id that no other entry has. */
export function malformedOf({ malformed }: Listing<unknown>, id: string): MalformedEntry | undefined {
    // Ids of resources that belong to another one begin with the id of that one.
    const own = id.slice(id.lastIndexOf("/") + 1);
    return malformed.find(({ fields }) => {
        const found = fields.service_id ?? fields.id;
        return found === own || typeof found !== "string" || found === "";
    });
}
