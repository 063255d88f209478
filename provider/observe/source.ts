import type { CallOptions, MalformedEntry } from "../api/client";
import type { Clock } from "../api/clock";
import {
    InvalidResponseError,
    isNotFound,
    ProjectNotFoundError,
    undefinedIfNotFound,
    type ApiError,
} from "../api/errors";
import { Listing, type Source } from "../contract/source";
import { Absence } from "./absence";
import { notFoundPollMs } from "./schedule";

/** Reads one item. Undefined if it does not exist, or if the API has no such operation. */
export async function getItem<T>(source: Source<T>, id: string, options: CallOptions): Promise<T | undefined> {
    return source.get && undefinedIfNotFound(source.get(id, options));
}

/**
 * Lists a source. Malformed entries do not fail the call. The collection of a deleted resource is empty. The parent's
 * collection confirms the deletion, so nothing counts as deleted if the API returns 404 for all requests.
 */
export async function listSource<T>(source: Source<T>, options: CallOptions, clock: Clock): Promise<Listing<T>> {
    const absence = new Absence(clock);
    for (;;) {
        const malformed: MalformedEntry[] = [];
        try {
            const items = await source.list({ ...options, onMalformed: (entry) => malformed.push(entry) });
            return new Listing(source, items, malformed);
        } catch (error) {
            if (!isNotFound(error)) {
                throw error;
            }
            if (absence.missing()) {
                return listOfDeleted(source, error, options, clock);
            }
        }
        await clock.sleep(notFoundPollMs, options.signal);
    }
}

/** The empty list of a deleted parent. Fails if the parent exists. */
async function listOfDeleted<T>(
    source: Source<T>,
    notFound: ApiError,
    options: CallOptions,
    clock: Clock,
): Promise<Listing<T>> {
    const { parent } = source;
    if (parent === undefined) {
        throw new ProjectNotFoundError(notFound);
    }
    const parents = await listSource(parent.source, options, clock);
    if (parents.entryOf(parent.id) !== undefined) {
        const problem = `${parent.id} exists, but the list of its contents does not`;
        throw new InvalidResponseError(notFound, notFound.status, problem, "contract");
    }
    return new Listing(source, []);
}
