import { fillIn, idIn, type CallArguments, type CallOptions, type Client, type MalformedEntry } from "../api/client";
import type { Clock } from "../api/clock";
import type { OperationId } from "../api/contract";
import {
    InvalidResponseError,
    isNotFound,
    ProjectNotFoundError,
    undefinedIfNotFound,
    type ApiError,
} from "../api/callErrors";
import { operations } from "../api/operations.gen";
import { ownIdOf, parentIdOf, pathOf } from "../contract/path";
import type { Path, ReadableKind } from "../contract/resource";
import { itemIn, type Collection, type Listing } from "../contract/collection";
import { Absence } from "./absence";
import { notFoundPollMs, provesLossAfterMs } from "./schedule";

/** A collection of resources of a kind. Leaves out the entries of other kinds. */
export function collectionAt<Item>(
    kind: ReadableKind<Item> & { readonly parent?: { readonly kind: ReadableKind<unknown> } },
    path: Path,
    client: Client,
): Collection<Item> {
    const { parent } = kind;
    const { list, get } = kind.operations;
    const call = (operation: OperationId, at: Path, options: CallOptions) =>
        client.call(operation, { path: at } as unknown as CallArguments<OperationId>, options);
    return {
        key: fillIn(operations[list].path, path),
        list: async (options) =>
            ((await call(list, path, options)) as Item[]).filter((item) => kind.otherKind?.(item) === undefined),
        ...(get && { get: async (id, options) => await call(get, pathOf(kind, path.project_id, id), options) }),
        idOf: (entry) => ownIdOf(kind, entry as object),
        parent:
            parent === undefined
                ? { collection: projectsAt(client), id: path.project_id }
                : { collection: collectionAt(parent.kind, path, client), id: parentIdOf(kind, path) },
    };
}

/** The projects, to which all other collections belong. */
function projectsAt(client: Client): Collection<object> {
    const list = "listProjects";
    return {
        key: operations[list].path,
        list: (options) => client.call(list, {}, options),
        idOf: (entry) => idIn(entry),
    };
}

/** Reads one item. Undefined if it does not exist, or if the API has no such operation. */
export async function getItem<T>(collection: Collection<T>, id: string, options: CallOptions): Promise<T | undefined> {
    return collection.get && undefinedIfNotFound(collection.get(id, options));
}

/**
 * Lists a collection. Malformed entries do not fail the call. The collection of a deleted resource is empty. The parent's
 * collection confirms the deletion, so nothing counts as deleted if the API returns 404 for all requests: a project is missing
 * if the list of projects lacks it, or is not found either for a while.
 */
export async function listCollection<T>(
    collection: Collection<T>,
    options: CallOptions,
    clock: Clock,
): Promise<Listing<T>> {
    const absence = new Absence(clock, collection.parent === undefined ? provesLossAfterMs : undefined);
    for (;;) {
        const malformed: MalformedEntry[] = [];
        try {
            const items = await collection.list({ ...options, onMalformed: (entry) => malformed.push(entry) });
            return { items, malformed };
        } catch (error) {
            if (!isNotFound(error)) {
                throw error;
            }
            if (absence.missing()) {
                return listOfDeleted(collection, error, options, clock);
            }
        }
        await clock.sleep(notFoundPollMs, options.signal);
    }
}

/** The empty list of a deleted parent. Fails if the parent exists, or is a project. */
async function listOfDeleted<T>(
    collection: Collection<T>,
    notFound: ApiError,
    options: CallOptions,
    clock: Clock,
): Promise<Listing<T>> {
    const { parent } = collection;
    if (parent === undefined) {
        throw notFound;
    }
    const parents = await undefinedIfNotFound(listCollection(parent.collection, options, clock));
    if (parents !== undefined && itemIn(parent.collection, parents, parent.id) !== undefined) {
        const problem = `${parent.id} exists, but the list of its contents does not`;
        throw new InvalidResponseError(notFound.call, notFound.status, problem, "contract");
    }
    if (parent.collection.parent === undefined) {
        throw new ProjectNotFoundError(notFound);
    }
    return { items: [], malformed: [] };
}
