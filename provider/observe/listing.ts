import { fillIn, idIn, type CallOptions, type Client } from "../api/client";
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
import { ownIdOf, parentIdOf, pathOf } from "../model/path";
import type { Path, ObservableKind } from "../model/resource";
import type { Collection } from "../model/collection";
import { Absence } from "./absence";
import { notFoundPollMs, provesLossAfterMs } from "./schedule";

/** A collection of resources of a kind. Leaves out the entries of other kinds. */
export function collectionAt<Item>(
    kind: ObservableKind<Item> & { readonly parent?: { readonly kind: ObservableKind<unknown> } },
    path: Path,
    client: Client,
): Collection<Item> {
    const { parent } = kind;
    const { list, get } = kind.operations;
    const call = client.call.bind(client) as CallAt;
    return {
        key: fillIn(operations[list].path, path),
        list: async (options) =>
            ((await call(list, { path }, options)) as Item[]).filter((item) => kind.otherKind?.(item) === undefined),
        ...(get && {
            get: (id, options) => call(get, { path: pathOf(kind, path.project_id, id) }, options) as Promise<Item>,
        }),
        idOf: (entry) => ownIdOf(kind, entry as object),
        parent:
            parent === undefined
                ? { collection: projectsAt(client), id: path.project_id }
                : { collection: collectionAt(parent.kind, path, client), id: parentIdOf(kind, path) },
    };
}

type CallAt = (operation: OperationId, at: { readonly path: Path }, options: CallOptions) => Promise<unknown>;

/** The projects, to which all other collections belong. */
function projectsAt(client: Client): Collection<object> {
    const list = "listProjects";
    return {
        key: operations[list].path,
        list: (options) => client.call(list, {}, options),
        idOf: (entry) => idIn(entry as object),
    };
}

/**
 * Lists a collection. The collection of a deleted resource is empty. The parent's
 * collection confirms the deletion, so nothing counts as deleted if the API returns 404 for all requests: a project is missing
 * if the list of projects lacks it, or is not found either for a while.
 */
export async function listCollection<T>(
    collection: Collection<T>,
    options: CallOptions,
    clock: Clock,
): Promise<readonly T[]> {
    const absence = new Absence(clock, collection.parent === undefined ? provesLossAfterMs : undefined);
    for (;;) {
        try {
            return await collection.list(options);
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
): Promise<readonly T[]> {
    const { parent } = collection;
    if (parent === undefined) {
        throw notFound;
    }
    const malformed: unknown[] = [];
    const withMalformed = { ...options, onMalformed: (entry: unknown) => malformed.push(entry) };
    const parents = await undefinedIfNotFound(listCollection(parent.collection, withMalformed, clock));
    if ([...(parents ?? []), ...malformed].some((entry) => parent.collection.idOf(entry) === parent.id)) {
        const problem = `${parent.id} exists, but the list of its contents does not`;
        throw new InvalidResponseError(notFound.call, notFound.status, problem, "contract");
    }
    if (parent.collection.parent === undefined) {
        throw new ProjectNotFoundError(notFound);
    }
    return [];
}
